/** What a key may do: `read` lists and gets, `write` creates. */
export const apiKeyScopes = ['read', 'write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The API key of a request: the body of `GET /key.json`. */
export interface KeyInfo {
  id: number;
  name: string;
  scopes: readonly ApiKeyScope[];
  /** In the form of RFC 3339, in UTC. `null` if the key does not expire. */
  expiresAt: string | null;
}

/** The key without the word `Bearer`, which people copy from the header of an example. */
export function removeBearer(key: string): string {
  return key.trim().replace(/^(?:Bearer(?:\s+|$))+/i, '');
}
