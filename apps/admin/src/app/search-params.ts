/** Plain query parameters: by default, the router writes JSON into the address. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const defined = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(defined.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}
