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

/**
 * Where the key of a sign-in link (`/#key=…`) starts. Mail filters write `%23key=`, or encode it more than once: it is then
 * a part of the path, which reaches servers.
 */
export const signInLink = /(?:#|%(?:25)*23)key(?:=|%(?:25)*3d)/i;
