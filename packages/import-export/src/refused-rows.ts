import { type CsvRecord, csvLine, CsvRecords } from '@petstore/contracts';
import { maxRecordLength, readLines } from './lines.js';
import { addFormulaPrefix, removeFormulaPrefix, splitFirstLine } from './pet-columns.js';
import { isBlank, type ReadSettings } from './rows.js';
import { detectEncoding, type Source } from './source.js';

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
  for await (const { record, columns } of readRecords(source, settings)) {
    const isHeader = width === undefined && settings.hasHeader !== false;
    const reason = reasons.get(record.line);
    width ??= columns;
    if (!isHeader && reason === undefined) continue;
    const cells = 'cells' in record ? record.cells : [record.text.replace(/\r$/, '')];
    const filled = Array.from({ length: width }, (_, index) => toSafeCell(cells[index] ?? ''));
    const ending = isHeader ? ['Line', 'Reason'] : [String(record.line), reason ?? ''];
    yield csvLine([...filled, ...ending, ...cells.slice(width).map(toSafeCell)]) + newline;
  }
}

/** The records of a CSV file, each with the number of columns of the first line. */
async function* readRecords(
  source: Source,
  settings: ReadSettings,
): AsyncGenerator<{ record: CsvRecord; columns: number }, void> {
  let [records, columns]: [CsvRecords | undefined, number] = [undefined, 0];
  for await (const line of readLines(source, settings.encoding ?? (await detectEncoding(source)))) {
    if (!records && isBlank(line)) continue;
    if (!records) {
      const { delimiter, cells } = splitFirstLine(line.text);
      columns = cells.length;
      records = new CsvRecords(delimiter, maxRecordLength);
    }
    // The text of a line that cannot be read is empty.
    if (line.fault) for (const record of records.end()) yield { record, columns };
    for (const record of records.push(line)) yield { record, columns };
  }
  for (const record of records?.end() ?? []) yield { record, columns };
}

const isNumber = (cell: string) => /^[+-]?\d+$/.test(cell);

/** A spreadsheet must not run a cell as a formula. An import of the result gives the same name. */
function toSafeCell(cell: string): string {
  return isNumber(cell) ? cell : addFormulaPrefix(removeFormulaPrefix(cell));
}
