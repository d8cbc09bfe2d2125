import {
  type CsvRecord,
  CsvRecords,
  foldName,
  type NewPet,
  newPetFields,
  parseJson,
  stringifyJson,
} from '@petstore/contracts';
import { type Fault, fault } from './faults.js';
import { type Line, maxRecordLength, readLines } from './lines.js';
import {
  type CategoryLookup,
  type CellValue,
  type ColumnChoice,
  columnOf,
  fieldFaults,
  readCell,
  requiredColumns,
  splitFirstLine,
} from './pet-columns.js';
import { detectEncoding, type Encoding, type Source } from './source.js';

/** How to read a file. Plain data: a journal stores it, so that a continued import reads the file in the same way. */
export interface ReadSettings {
  /** Detected by default. NDJSON is always UTF-8. */
  encoding?: Encoding | undefined;
  /** The column of each cell of a CSV file. By default the first line names the columns. */
  columns?: ColumnChoice | undefined;
  /** `false` if the first line of a CSV file is a row. Then `columns` is required. */
  hasHeader?: boolean | undefined;
  /** The categories of the store. A cell may have the exact name of one instead of its number. */
  categories?: readonly { id: string; name: string }[] | undefined;
  /** Whether case and accents of these names do not matter: for files that a person checks. */
  hasLooseNames?: boolean | undefined;
  /** Cells that replace those of a row, by line. */
  corrections?: Readonly<Record<number, readonly string[]>> | undefined;
}

/** A line with a valid animal, or with the reasons why it has none. */
export type Row =
  | { line: number; pet: NewPet }
  /** `cells` are those of a CSV row, as far as they could be read. */
  | { line: number; faults: readonly Fault[]; cells?: readonly string[] };

/** Reads the animals of a CSV or NDJSON file. Detects the format by the first line. Memory does not grow with the file. */
export async function* readRows(source: Source, settings: ReadSettings = {}): AsyncGenerator<Row, void> {
  const encoding = settings.encoding ?? (await detectEncoding(source));
  let format: CsvRows | NdjsonRows | undefined;
  for await (const line of readLines(source, encoding)) {
    if (!format && isBlank(line)) continue;
    format ??= line.text.trimStart().startsWith('{') ? new NdjsonRows() : new CsvRows(settings);
    for (const row of format.push(line)) yield row;
  }
  if (format) for (const row of format.end()) yield row;
  else yield { line: 1, faults: [fault('emptyFile')] };
}

/** Whether a line has only white space. Such lines are skipped. */
export function isBlank({ text, fault: lineFault }: Line): boolean {
  return lineFault === undefined && text.trim() === '';
}

/** Reads one JSON object per line. Blank lines are skipped. */
class NdjsonRows {
  *push({ number: line, text, fault: lineFault }: Line): Generator<Row, void> {
    if (lineFault) yield { line, faults: [fault(lineFault)] };
    else if (text.trim() !== '') yield { line, ...readObject(text) };
  }

  *end(): Generator<Row, void> {
    // Every line is complete.
  }
}

function readObject(text: string): { pet: NewPet } | { faults: Fault[] } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { faults: [fault('notJson', { value: (error as Error).message })] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { faults: [fault('notObject')] };
  const members = value as Record<string, unknown>;
  const unknown = Object.keys(members).find((name) => name !== 'id' && !Object.hasOwn(fieldFaults, name));
  const result = toPet((field) => ({ value: members[field], text: stringifyJson(members[field]) }));
  if (unknown === undefined) return result;
  return { faults: [fault('unknownField', { value: unknown }), ...('faults' in result ? result.faults : [])] };
}

/** Checks the fields of a line with the rules of the service. `text` is that of the file. */
function toPet(read: (field: keyof NewPet) => CellValue & { text: string }): { pet: NewPet } | { faults: Fault[] } {
  const fields: Partial<Record<keyof NewPet, unknown>> = {};
  const faults: Fault[] = [];
  for (const field of newPetFields) {
    const cell = read(field);
    const code = 'fault' in cell ? cell.fault : fieldFaults[field](cell.value);
    if (code) faults.push(fault(code, { field, ...(code !== 'required' && { value: cell.text }) }));
    else if ('value' in cell && cell.value !== undefined) fields[field] = cell.value;
  }
  return faults.length > 0 ? { faults } : { pet: fields as unknown as NewPet };
}

/** Reads CSV (RFC 4180). */
class CsvRows {
  private columns: ColumnChoice | undefined;
  private records = new CsvRecords(',');
  private hasBadHeader = false;
  private readonly idsOf: CategoryLookup | undefined;

  constructor(private readonly settings: ReadSettings) {
    this.idsOf = categoryLookup(settings);
  }

  *push(line: Line): Generator<Row, void> {
    if (this.hasBadHeader) return;
    if (!this.columns) {
      yield* this.readFirstLine(line);
      if (!this.columns || this.settings.hasHeader !== false) return;
    }
    if (line.fault) {
      yield* this.end();
      yield* this.rowOf({ line: line.number, fault: line.fault });
    } else {
      for (const record of this.records.push(line)) yield* this.rowOf(record);
    }
  }

  *end(): Generator<Row, void> {
    for (const record of this.records.end()) yield* this.rowOf(record);
  }

  private *readFirstLine({ number: line, text, fault: lineFault }: Line): Generator<Row, void> {
    const { delimiter, cells } = splitFirstLine(text);
    const columns = this.settings.columns ?? cells.map(columnOf);
    const found = lineFault ? fault(lineFault) : firstLineFault(text, cells, this.settings.columns);
    if (found) {
      this.hasBadHeader = true;
      yield { line, faults: [found] };
      return;
    }
    this.records = new CsvRecords(delimiter, maxRecordLength);
    this.columns = columns;
  }

  private *rowOf(record: CsvRecord | { line: number; fault: Line['fault'] & string }): Generator<Row, void> {
    const { line } = record;
    const { columns = [], settings } = this;
    const cells = settings.corrections?.[line] ?? ('cells' in record ? record.cells : undefined);
    if (!cells) {
      if ('fault' in record) {
        yield { line, faults: [fault(record.fault)], ...('text' in record && { cells: [record.text] }) };
      }
    } else if (cells.length !== columns.length) {
      // Spreadsheets write empty rows as delimiters only.
      const isEmpty = cells.every((cell) => cell.trim() === '');
      const value = String(cells.length);
      if (!isEmpty) yield { line, faults: [fault('cellCount', { value, expected: columns.length })], cells };
    } else if (cells.some((cell) => cell.trim() !== '')) {
      const result = readCells(cells, columns, this.idsOf);
      yield 'pet' in result ? { line, ...result } : { line, ...result, cells };
    }
  }
}

function categoryLookup({ categories, hasLooseNames }: ReadSettings): CategoryLookup | undefined {
  if (!categories) return undefined;
  const keyOf = (name: string) => (hasLooseNames ? foldName(name.trim()) : name.trim());
  const ids = new Map<string, bigint[]>();
  for (const { id, name } of categories) ids.set(keyOf(name), [...(ids.get(keyOf(name)) ?? []), BigInt(id)]);
  return (name) => ids.get(keyOf(name)) ?? [];
}

/** What is wrong with the first line. `choice` replaces the columns that it names. */
function firstLineFault(text: string, names: readonly string[], choice?: ColumnChoice): Fault | undefined {
  if (text.trimEnd().includes('\r')) return fault('crLineEnds');
  if (choice) return undefined;
  if (/^\s*\[\s*(\{|$)/.test(text)) return fault('jsonArray');
  const columns = names.map(columnOf);
  const unknown = names.find((_, index) => !columns[index]);
  if (unknown !== undefined) return fault('unknownColumns', { value: unknown, columns: names });
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated) return fault('repeatedColumn', { field: repeated });
  const missing = requiredColumns.find((column) => !columns.includes(column));
  return missing && fault('missingColumn', { field: missing, columns: names });
}

function readCells(cells: readonly string[], columns: ColumnChoice, idsOf: CategoryLookup | undefined) {
  return toPet((field) => {
    const text = cells[columns.indexOf(field)] ?? '';
    return { ...readCell[field](text, idsOf), text };
  });
}
