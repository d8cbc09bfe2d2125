/** Plain query parameters: by default, the router writes JSON into the address. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const params = new URLSearchParams(text);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]) as (string | number | undefined)[];
    return values.filter((one) => one !== undefined).map((one) => [name, String(one)]);
  });
  const text = new URLSearchParams(pairs).toString();
  return text && `?${text}`;
}
