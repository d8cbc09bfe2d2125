/** A table in Markdown that can be read as it is. A column of figures stands to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isFigure = head.map((_, column) => rows.every((row) => /^\d[\d.,]*$/.test(row[column] ?? '')));
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, isFigure[column])).join(' | ')} |`;
  const rule = widths.map((width, column) => (isFigure[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** A number with so many digits behind the point. */
export function figure(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function megabytes(bytes: number): string {
  return figure(bytes / 1e6);
}

export function verdict(isReached: boolean): string {
  return isReached ? 'ok' : 'short';
}

function pad(cell: string, width: number, toTheRight = false): string {
  return toTheRight ? cell.padStart(width) : cell.padEnd(width);
}
