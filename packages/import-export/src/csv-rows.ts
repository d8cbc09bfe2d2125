import Papa from 'papaparse';
import { type ColumnChoice, type CsvHeader, readCsvHeader } from './csv-header.js';
import { type Line, maxRecordLength } from './lines.js';
import { type Fields, readCell, type Row, toRow } from './pet-columns.js';

/**
 * Reads CSV (RFC 4180). Papa Parse parses each record. This class finds the lines of a record, because Papa Parse reports
 * wrong line numbers for bad quotes, and reads the rest of the file into a field whose quote is not closed.
 */
export class CsvRows {
  private header: CsvHeader | undefined;
  private hasBadHeader = false;
  /** The lines of the current record. */
  private record: Line[] = [];
  private recordLength = 0;
  private isQuoteOpen = false;

  constructor(private readonly choice?: ColumnChoice) {}

  *push(line: Line): Generator<Row, void> {
    if (this.hasBadHeader) return;
    if (!this.header) yield* this.readHeader(line);
    else if (line.fault === undefined) yield* this.addToRecord(line, this.header);
    else {
      yield* this.end();
      yield { line: line.number, fault: `The line ${line.fault}.` };
    }
  }

  /** Rejects a record whose quote is not closed. */
  *end(): Generator<Row, void> {
    while (this.record.length > 0) yield* this.rejectFirstLine('has a quote that is not closed');
  }

  private *readHeader({ number: line, text, fault }: Line): Generator<Row, void> {
    const header = fault === undefined ? readCsvHeader(text, this.choice) : `The line ${fault}.`;
    if (typeof header === 'object') {
      this.header = header;
      return;
    }
    this.hasBadHeader = true;
    yield { line, fault: header };
  }

  private *addToRecord(line: Line, header: CsvHeader): Generator<Row, void> {
    this.record.push(line);
    this.recordLength += line.text.length + 1;
    const quotes = line.text.split('"').length - 1;
    if (quotes % 2 === 1) this.isQuoteOpen = !this.isQuoteOpen;
    if (!this.isQuoteOpen) yield* this.parseRecord(header);
    else if (this.recordLength > maxRecordLength) yield* this.rejectFirstLine('has a quote that is not closed');
  }

  private *parseRecord({ delimiter, columns }: CsvHeader): Generator<Row, void> {
    const text = this.record.map((line) => line.text).join('\n');
    const { data, errors } = Papa.parse<string[]>(text.replace(/\r$/, ''), { delimiter, newline: '\n' });
    if (errors.length > 0 || data.length > 1) {
      yield* this.rejectFirstLine('has a misplaced quote');
      return;
    }
    const [cells = []] = data;
    const line = this.takeRecord()[0]?.number ?? 0;
    // Spreadsheets write empty rows as delimiters only.
    if (cells.every((cell) => cell.trim() === '')) return;
    if (cells.length === columns.length) yield toRow(line, toFields(columns, cells));
    else yield { line, fault: `The number of columns is ${cells.length} instead of ${columns.length}.` };
  }

  /** Continues with the second line, so that one bad quote does not hide the lines after it. */
  private *rejectFirstLine(reason: string): Generator<Row, void> {
    const [first, ...rest] = this.takeRecord();
    if (first) yield { line: first.number, fault: `The line ${reason}.` };
    for (const line of rest) yield* this.push(line);
  }

  private takeRecord(): Line[] {
    const { record } = this;
    this.record = [];
    this.recordLength = 0;
    this.isQuoteOpen = false;
    return record;
  }
}

function toFields(columns: ColumnChoice, cells: readonly string[]): Fields {
  const fields: Fields = {};
  for (const [index, column] of columns.entries()) if (column) fields[column] = readCell[column](cells[index] ?? '');
  return fields;
}
