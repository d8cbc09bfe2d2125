import type { Table } from '@petstore/table/table.js';

/** A table with a row for each line, whose cells `;` separates. Blank lines are no rows. */
export function tableOf(text: string): Table {
  const rows = text.split('\n').map((line, index) => {
    const cells = line.split(';');
    return { number: index + 1, cells: cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1) };
  });
  return { format: 'csv', rows: rows.filter(({ cells }) => cells.length > 0) };
}
