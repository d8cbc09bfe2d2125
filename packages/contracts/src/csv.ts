/** A line of a file, without its LF. It may end with CR. */
export interface CsvLine {
  /** Counts from 1. */
  number: number;
  text: string;
}

/** `openQuote`: a quoted cell does not end. `misplacedQuote`: a quote is not around a cell and not doubled in one. */
export type CsvFault = 'openQuote' | 'misplacedQuote';

/** A record of a CSV file, or a line that is none. A record can have several lines; `line` is the first. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; fault: CsvFault; text: string };

const cr = '\r';

/** How to read a CSV file. */
export interface CsvOptions {
  delimiter: string;
  /** The maximum length of a record in UTF-16 units. */
  maxLength?: number | undefined;
  /**
   * Whether the cells were copied from a spreadsheet. It puts only cells with a tab or a line break in quotes, so every other
   * quote is a part of the text.
   */
  isPasted?: boolean | undefined;
}

/**
 * Reads the records of a CSV file (RFC 4180). A line with a bad quote does not hide the lines after it: reading continues
 * with the second line of the record. This takes linear time: such a line ends a record, or is one.
 */
export class CsvRecords {
  /** The lines of the current record. */
  private lines: CsvLine[] = [];
  private cells: string[] = [];
  private cell = '';
  private isQuoteOpen = false;
  /** The length of the current record. */
  private length = 0;

  constructor(private readonly options: CsvOptions) {}

  *push(line: CsvLine): Generator<CsvRecord, void> {
    const pending = [line];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const record = this.read(next);
      if (!record) continue;
      yield this.withLiteralQuotes(record);
      if ('fault' in record) pending.push(...this.takeLines().slice(1).toReversed());
    }
  }

  /** The lines of a record whose quoted cell does not end. */
  *end(): Generator<CsvRecord, void> {
    while (this.lines.length > 0) {
      const [first, ...rest] = this.takeLines();
      if (first) yield this.withLiteralQuotes({ line: first.number, fault: 'openQuote', text: first.text });
      for (const line of rest) yield* this.push(line);
    }
  }

  /** A pasted line whose quotes are not around a cell has no quoted cell. */
  private withLiteralQuotes(record: CsvRecord): CsvRecord {
    if (!this.options.isPasted || 'cells' in record) return record;
    return { line: record.line, cells: record.text.replace(/\r$/, '').split(this.options.delimiter) };
  }

  /** Adds a line. Returns the record if it is complete or has a fault. */
  private read(line: CsvLine): CsvRecord | undefined {
    // Files that were put together have a byte order mark in the middle. `csvLine` puts one that is text in quotes.
    const text = this.isQuoteOpen ? line.text : line.text.replace(/^\uFEFF/, '');
    this.lines.push(line);
    this.length += text.length + 1;
    const [first = line] = this.lines;
    const fault = this.scan(text);
    if (fault) return { line: first.number, fault, text: first.text };
    if (!this.isQuoteOpen) {
      const { cells } = this;
      this.takeLines();
      return { line: first.number, cells };
    }
    return this.length > (this.options.maxLength ?? Infinity)
      ? { line: first.number, fault: 'openQuote', text: first.text }
      : undefined;
  }

  /** Reads the cells of a line. */
  private scan(text: string): CsvFault | undefined {
    const end = text.endsWith(cr) ? text.length - 1 : text.length;
    let position = 0;
    for (;;) {
      const isQuoted = this.isQuoteOpen || text[position] === '"';
      let next = isQuoted ? this.quoted(text, position) : this.plain(text, position);
      if (this.isQuoteOpen) return undefined;
      if (isQuoted && this.options.isPasted && !/[\t\n]/.test(this.cell)) next = this.plain(text, position);
      if (next === undefined || (next < end && text[next] !== this.options.delimiter)) return 'misplacedQuote';
      this.cells.push(this.cell);
      this.cell = '';
      if (next >= end) return undefined;
      position = next + 1;
    }
  }

  /** Reads a quoted cell, or the rest of one, and returns the position after it. */
  private quoted(text: string, start: number): number {
    let position = this.isQuoteOpen ? start : start + 1;
    this.isQuoteOpen = true;
    for (;;) {
      const quote = text.indexOf('"', position);
      if (quote === -1) {
        this.cell += `${text.slice(position)}\n`;
        return text.length;
      }
      this.cell += text.slice(position, quote);
      if (text[quote + 1] !== '"') {
        this.isQuoteOpen = false;
        return quote + 1;
      }
      this.cell += '"';
      position = quote + 2;
    }
  }

  /** Reads a cell that is not quoted. Returns `undefined` if it must not have the quotes that it has. */
  private plain(text: string, start: number): number | undefined {
    const delimiter = text.indexOf(this.options.delimiter, start);
    const end = text.endsWith(cr) ? text.length - 1 : text.length;
    const stop = delimiter === -1 ? end : delimiter;
    this.cell = text.slice(start, stop);
    return this.cell.includes('"') && !this.options.isPasted ? undefined : stop;
  }

  private takeLines(): CsvLine[] {
    const { lines } = this;
    this.lines = [];
    this.cells = [];
    this.cell = '';
    this.isQuoteOpen = false;
    this.length = 0;
    return lines;
  }
}

/** A line of a CSV file with these cells, without its line break. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  const needsQuotes = (cell: string) => /["\r\n\uFEFF]|^ | $/.test(cell) || cell.includes(delimiter);
  return cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter);
}
