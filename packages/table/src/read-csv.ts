import Papa from 'papaparse';
import { removeFormulaPrefix } from './formula-prefix.js';
import { type Cell, type ReadOptions, type Table, TableError, tableRow, type TableRow, usedCells } from './table.js';

/**
 * Reads a CSV text, or cells that were pasted from a spreadsheet.
 * @throws TableError
 */
export function readCsv(text: string, options: ReadOptions = {}): Table {
  const { delimiter, text: body } = withoutSeparator(withPlainLines(text));
  const records = options.isPasted
    ? parse(quotePasted(body), '\t')
    : parse(body, delimiter ?? chooseDelimiter(body, options.isHeader));
  return { format: 'csv', rows: toRows(records, options) };
}

/** Files that were put together have a byte order mark in the middle, and those of DOS end with Ctrl-Z. */
export function withPlainLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^\uFEFF/gm, '')
    .replace(/\u001A\s*$/, '');
}

/** The line `sep=;` tells a spreadsheet the delimiter. It does not show the line. */
function withoutSeparator(text: string): { delimiter?: string | undefined; text: string } {
  const [line, delimiter] = /^\s*"?sep=(\\t|[^"\n])"?(?:(?!\1)[ \t,;]|\1)*(?:\n|$)/i.exec(text) ?? [];
  if (line === undefined) return { text };
  return { delimiter: delimiter === '\\t' ? '\t' : delimiter, text: text.slice(line.length) };
}

function parse(text: string, delimiter: string): readonly (readonly string[])[] {
  const { data, errors } = Papa.parse<string[]>(quoteFormulas(text, delimiter), { delimiter, newline: '\n' });
  const error = errors.find(({ type }) => type === 'Quotes');
  if (!error) return data;
  const fault =
    error.code === 'MissingQuotes'
      ? 'a quotation mark opens a cell, but none closes it'
      : 'a cell that begins with a quotation mark has another one in it';
  const advice = 'Remove it, or save the table again in your spreadsheet program.';
  throw new TableError(`Row ${(error.row ?? 0) + 1}: ${fault}. ${advice}`);
}

/** A text in quotation marks. A spreadsheet keeps 32,767 characters; without a limit, a long cell would exceed the stack. */
const quotedText = '"([^"]*(?:""[^"]*){0,32767})"';

/** In the formula `="a,b"`, the comma is no delimiter. This quotes it like any other cell with quotation marks. */
function quoteFormulas(text: string, delimiter: string): string {
  if (!text.includes('="')) return text;
  const end = `[${delimiter.replace(/[\]\\^-]/, '\\$&')}\n]`;
  const cell = new RegExp(`(?<=^|${end})(=?)${quotedText} *(?=${end}|$)`, 'g');
  return text.replaceAll(cell, (found: string, sign: string, content: string) =>
    sign ? `"=""${content.replaceAll('"', '""')}"""` : found,
  );
}

/** A spreadsheet puts only cells with a tab or a line break in quotation marks. Every other mark is a part of the text. */
const pastedCell = /"([^"]*(?:""[^"]*)*)"(?=[\t\n]|$)|[^\t\n]+/g;

function quotePasted(text: string): string {
  return text.replaceAll(pastedCell, (cell: string, quoted?: string) =>
    quoted && /[\t\n]/.test(quoted) ? cell : `"${cell.replaceAll('"', '""')}"`,
  );
}

/** Rows of blank cells are left out, but they count. */
function toRows(records: readonly (readonly string[])[], { isPasted }: ReadOptions): TableRow[] {
  return records
    .map((record, index) => tableRow(index + 1, usedCells(record).map(isPasted ? readShownCell : readCell)))
    .filter(({ cells }) => cells.length > 0);
}

/** A spreadsheet would calculate the formula. */
function readCell(cell: string): Cell {
  const read = readShownCell(cell);
  return read.text === cell && /^=./s.test(cell) ? { text: cell, fault: 'formula' } : read;
}

const formulaText = new RegExp(`^=${quotedText}\\s*$`);

/** Programs write a text as the formula `="007"`, so that a spreadsheet keeps its zeros. */
function readShownCell(cell: string): Cell {
  const [, content] = formulaText.exec(cell) ?? [];
  return { text: content === undefined ? removeFormulaPrefix(cell) : content.replaceAll('""', '"') };
}

/** The delimiter is chosen by so many characters and rows. The names of the columns are in the first of them. */
const sampleLength = 65_536;
const sampleRows = 50;
const headerRows = 10;

/** The delimiter that separates the known names of columns, else the one that gives most rows the same number of cells. */
function chooseDelimiter(text: string, isHeader: ReadOptions['isHeader']): string {
  const choices = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, fit: fitOf(text, delimiter, isHeader) }));
  return choices.reduce((best, choice) => (choice.fit > best.fit ? choice : best)).delimiter;
}

/** How well a delimiter fits. Decimal commas are not in the names of the columns, and empty cells may be left out. */
function fitOf(text: string, delimiter: string, isHeader: ReadOptions['isHeader']): number {
  const sample = text.slice(0, sampleLength);
  const { data, errors } = Papa.parse<string[]>(quoteFormulas(sample, delimiter), {
    delimiter,
    newline: '\n',
    preview: sampleRows,
  });
  const faulty = new Set(errors.map(({ row }) => row));
  const rows = data.filter((record, index) => !faulty.has(index) && usedCells(record).length > 0);
  const widths = rows.map(({ length }) => length).filter((width) => width > 1);
  const equal = Math.max(0, ...widths.map((width) => widths.filter((other) => other === width).length));
  const isKnown = rows.slice(0, headerRows).some((row) => isHeader?.(row));
  // The most important number first. None is above 65,536.
  return [Number(isKnown), widths.length, equal, Math.max(0, ...widths)].reduce((sum, part) => sum * 100_000 + part);
}
