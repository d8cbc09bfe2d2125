/** `JSON.stringify` for plain data that may contain `bigint`: writes each as an integer with every digit. */
export function stringifyJson(value: unknown, gap = '', line = gap && '\n'): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = line + gap;
  const write = (member: unknown) => stringifyJson(member, gap, inner);
  const members = Array.isArray(value)
    ? value.map((item: unknown) => write(item ?? null))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}:${gap && ' '}${write(member)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return members.length === 0 ? `${open}${close}` : `${open}${inner}${members.join(`,${inner}`)}${line}${close}`;
}
