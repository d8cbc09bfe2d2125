import { csvLine } from '@petstore/contracts';
import { addFormulaPrefix, removeFormulaPrefix } from './pet-columns.js';
import { openFile, readRecords, usedCells } from './records.js';
import type { ReadSettings } from './rows.js';
import type { Source } from './source.js';

const newline = '\r\n';

/**
 * A CSV file of the rows that were not imported: their cells, their line and the reason. A person can correct and import
 * it. A row that is too short is filled; the cells of one that is too long are after the reason.
 * @param reasons by line
 */
export async function* refusedRows(
  source: Source,
  reasons: ReadonlyMap<number, string>,
  settings: ReadSettings = {},
): AsyncGenerator<string, void> {
  let width: number | undefined;
  for await (const record of readRecords(await openFile(source, settings), settings)) {
    const isHeader = width === undefined && settings.hasHeader !== false;
    const reason = reasons.get(record.line);
    // The text of a line that cannot be read is empty.
    const cells = 'cells' in record ? record.cells : 'text' in record ? [record.text.replace(/\r$/, '')] : [];
    width ??= settings.columns?.length ?? usedCells(cells).length;
    if (!isHeader && reason === undefined) continue;
    const filled = Array.from({ length: width }, (_, index) => toSafeCell(cells[index] ?? ''));
    const ending = isHeader ? ['Line', 'Reason'] : [String(record.line), reason ?? ''];
    yield csvLine([...filled, ...ending, ...usedCells(cells).slice(width).map(toSafeCell)]) + newline;
  }
}

const isNumber = (cell: string) => /^[+-]?\d+$/.test(cell);

/** A spreadsheet must not run a cell as a formula. An import of the result gives the same name. */
function toSafeCell(cell: string): string {
  return isNumber(cell) ? cell : addFormulaPrefix(removeFormulaPrefix(cell));
}
