/** What a key may do: `read` lists and gets, `write` creates. */
export const apiKeyScopes = ['read', 'write'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
