import { addFormulaPrefix } from '@petstore/table/formula-prefix.js';
import type { Table } from '@petstore/table/table.js';
import Papa from 'papaparse';
import { bodyOf, type Layout, type RowSettings } from './check-rows.js';

/**
 * A CSV text of the rows that were not imported: their cells with the corrections, their numbers and the reasons. A person can correct and import it.
 * The cells of a row that is too long are after the reason.
 * @param reasons by the number of the row
 */
export function refusedFile(
  table: Table,
  layout: Layout & Pick<RowSettings, 'corrections'>,
  reasons: ReadonlyMap<number, string>,
): string {
  const { header, body } = bodyOf(table, layout);
  const { length: width } = layout.columns;
  const toLine = (cells: readonly string[], ...ending: string[]) => [
    ...Array.from({ length: width }, (_, index) => toSafeCell(cells[index] ?? '')),
    ...ending,
    ...cells.slice(width).map(toSafeCell),
  ];
  const refused = body.filter(({ number }) => reasons.has(number));
  const lines = refused.map(({ number, cells }) =>
    toLine(layout.corrections?.[number] ?? cells, String(number), reasons.get(number) ?? ''),
  );
  return Papa.unparse([...(header ? [toLine(header.cells, 'Row', 'Reason')] : []), ...lines]);
}

/** A spreadsheet must not run a cell as a formula. An import of the result gives the same name. */
function toSafeCell(cell: string): string {
  return /^[+-]?\d+$/.test(cell) ? cell : addFormulaPrefix(cell);
}
