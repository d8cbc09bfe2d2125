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
  const [line, delimiter] = /^"?sep=(.)"?[ \t,;|]*(?:\n|$)/i.exec(text) ?? [];
  return line === undefined ? { text } : { delimiter, text: text.slice(line.length) };
}

function parse(text: string, delimiter: string): readonly (readonly string[])[] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  const error = errors.find(({ type }) => type === 'Quotes');
  if (!error) return data;
  const fault =
    error.code === 'MissingQuotes'
      ? 'a quotation mark opens a cell, but none closes it'
      : 'a cell that begins with a quotation mark has another one in it';
  const advice = 'Remove it, or save the table again in your spreadsheet program.';
  throw new TableError(`Row ${(error.row ?? 0) + 1}: ${fault}. ${advice}`);
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

/** Programs write a text as the formula `="007"`, so that a spreadsheet keeps its zeros. */
function readShownCell(cell: string): Cell {
  const [, content] = /^="(.*)" *$/s.exec(cell) ?? [];
  // A quotation mark that is not doubled ends the text, and the formula goes on.
  const isText = content !== undefined && !content.replaceAll('""', '').includes('"');
  return { text: isText ? content.replaceAll('""', '"') : removeFormulaPrefix(cell) };
}

/** The delimiter is chosen by so many rows. The names of the columns are in the first of them. */
const sample = { newline: '\n', preview: 50 } as const;
const headerRows = 10;

/** The delimiter that separates the known names of columns, else the one that gives the most cells in rows of the same length. */
function chooseDelimiter(text: string, isHeader: ReadOptions['isHeader']): string {
  const choices = [',', ';', '\t', '|'].map((delimiter) => {
    const { data } = Papa.parse<string[]>(text.slice(0, 65_536), { ...sample, delimiter });
    const widths = data.map(({ length }) => length).filter((width) => width > 1);
    const cellsIn = (width: number) => widths.filter((other) => other === width).length * width;
    return {
      delimiter,
      isKnown: data.slice(0, headerRows).some((row) => isHeader?.(row)),
      cells: Math.max(0, ...widths.map(cellsIn)),
    };
  });
  const known = choices.find(({ isKnown }) => isKnown);
  return (known ?? choices.reduce((best, choice) => (choice.cells > best.cells ? choice : best))).delimiter;
}
