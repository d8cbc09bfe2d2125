import Papa from 'papaparse';
import { splitCsvHeader } from './csv-header.js';
import { addFormulaPrefix, removeFormulaPrefix } from './formula-prefix.js';
import { type Line, LineSplitter, maxRecordLength } from './lines.js';
import type { Source } from './source.js';

const newline = '\r\n';

/**
 * A CSV file of the rows that were not imported: their cells, their line and the reason. A person can correct and import
 * it.
 * @param reasons by line
 */
export async function* refusedRows(source: Source, reasons: ReadonlyMap<number, string>): AsyncGenerator<string, void> {
  let delimiter: string | undefined;
  for await (const record of readRecords(source, reasons)) {
    const isHeader = delimiter === undefined;
    delimiter ??= splitCsvHeader(record.firstLine).delimiter;
    const ending = isHeader ? ['Line', 'Reason'] : [String(record.line), reasons.get(record.line) ?? ''];
    yield Papa.unparse([[...toCells(record, delimiter), ...ending]]) + newline;
  }
}

interface CsvRecord {
  line: number;
  firstLine: string;
  /** All its lines. */
  text: string;
}

/** The first record, and those that begin at a line with a reason. */
async function* readRecords(source: Source, reasons: ReadonlyMap<number, string>): AsyncGenerator<CsvRecord, void> {
  let current: CsvRecord | undefined;
  let isFirst = true;
  for await (const { number: line, text } of readLines(source)) {
    if (current && isOpen(current) && !reasons.has(line)) {
      current.text += `\n${text}`;
      continue;
    }
    if (current) yield current;
    const isWanted = (isFirst && text.trim() !== '') || reasons.has(line);
    current = isWanted ? { line, firstLine: text, text } : undefined;
    if (isWanted) isFirst = false;
  }
  if (current) yield current;
}

async function* readLines(source: Source): AsyncGenerator<Line, void> {
  const splitter = new LineSplitter();
  for await (const chunk of source()) yield* splitter.push(chunk);
  yield* splitter.end();
}

const hasOpenQuote = (text: string) => text.split('"').length % 2 === 0;
const isOpen = ({ text }: CsvRecord) => text.length <= maxRecordLength && hasOpenQuote(text);

/** With misplaced quotes, the first line becomes one cell: the lines after it may be other animals. */
function toCells({ text, firstLine }: CsvRecord, delimiter: string): string[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/\r$/, ''), { delimiter, newline: '\n' });
  return (errors.length === 0 && data.length === 1 && data[0] ? data[0] : [firstLine]).map(toSafeCell);
}

const isNumber = (cell: string) => /^[+-]?\d+$/.test(cell);

/** A spreadsheet must not run a cell as a formula. An import of the result gives the same name. */
function toSafeCell(cell: string): string {
  return isNumber(cell) ? cell : addFormulaPrefix(removeFormulaPrefix(cell));
}
