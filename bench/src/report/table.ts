/** Formats an aligned Markdown table. Columns of numbers are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isFigure = head.map((_, column) => rows.every((row) => /^\d[\d.,]*$/.test(row[column] ?? '')));
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, isFigure[column])).join(' | ')} |`;
  const rule = widths.map((width, column) => (isFigure[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** Formats a number with this many decimals. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function megabytes(bytes: number): string {
  return figure(bytes / 1e6);
}

export function goalStatus(isReached: boolean): string {
  return isReached ? 'ok' : 'missed';
}

function pad(cell: string, width: number, toTheRight = false): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
