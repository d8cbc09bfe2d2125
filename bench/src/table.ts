/** Formats a Markdown table. All columns but the first are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = ([first = '', ...cells]: readonly string[]) =>
    `| ${[first.padEnd(30), ...cells.map((cell) => cell.padStart(18))].join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '-'.repeat(30) : `${'-'.repeat(17)}:`));
  return [head, rule, ...rows].map(line).join('\n');
}

/** Formats a number with this many decimals. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
