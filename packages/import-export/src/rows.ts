import {
  foldName,
  type NewPet,
  newPetFields,
  parseJson,
  stringifyJson,
  trimName,
  visibleName,
} from '@petstore/contracts';
import { type Fault, fault } from './faults.js';
import type { Line } from './lines.js';
import {
  type CategoryLookup,
  type CellValue,
  type ColumnChoice,
  columnOf,
  fieldFaults,
  readCell,
  requiredColumns,
} from './pet-columns.js';
import { type FileRecord, isNdjson, openFile, readRecords, type RecordSettings, usedCells } from './records.js';
import type { Source } from './source.js';

/** How to read a file. Plain data: a journal stores it, so that a continued import reads the file in the same way. */
export interface ReadSettings extends RecordSettings {
  /** The column of each cell of a CSV file. By default the first line names the columns. */
  columns?: ColumnChoice | undefined;
  /** `false` if the first line of a CSV file is a row. Then `columns` is required. */
  hasHeader?: boolean | undefined;
  /** The categories of the store. A cell may have the exact name of one instead of its number. */
  categories?: readonly { id: string; name: string }[] | undefined;
  /** Whether case and accents of these names do not matter: for files that a person checks. */
  hasLooseNames?: boolean | undefined;
  /** Values that replace those of cells. Case and outer spaces of a value do not matter. */
  replacements?: readonly Replacement[] | undefined;
  /** Cells that replace those of a row, by line. */
  corrections?: Readonly<Record<number, readonly string[]>> | undefined;
}

/** What a value of a column means. */
export interface Replacement {
  field: keyof NewPet;
  value: string;
  /** As a cell would have it, such as the number of a category. */
  by: string;
}

/** A line with a valid animal, or with the reasons why it has none. */
export type Row =
  | { line: number; pet: NewPet }
  /** `cells` are those of a CSV row, as far as they could be read. */
  | { line: number; faults: readonly Fault[]; cells?: readonly string[] };

/** Reads the animals of a CSV or NDJSON file. Detects the format by the first line. Memory does not grow with the file. */
export async function* readRows(source: Source, settings: ReadSettings = {}): AsyncGenerator<Row, void> {
  const file = await openFile(source, settings);
  const [first] = file.start;
  if (!first) yield { line: 1, faults: [fault('emptyFile')] };
  else if (isNdjson(file)) yield* readObjects(file.lines());
  else if (!settings.columns && isJsonArray(first)) yield { line: first.number, faults: [fault('jsonArray')] };
  else yield* readTable(readRecords(file, settings), settings);
}

function isJsonArray({ text }: Line): boolean {
  return /^\s*\[\s*(\{|$)/.test(text);
}

/** Reads one JSON object per line. Blank lines are skipped. */
async function* readObjects(lines: AsyncIterable<Line>): AsyncGenerator<Row, void> {
  for await (const { number: line, text, fault: lineFault } of lines) {
    if (lineFault) yield { line, faults: [fault(lineFault)] };
    else if (text.trim() !== '') yield { line, ...readObject(text) };
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
    const cell = trimmed(field, read(field));
    const code = 'fault' in cell ? cell.fault : fieldFaults[field](cell.value);
    if (code) faults.push(fault(code, { field, ...(code !== 'required' && { value: cell.text }) }));
    else if ('value' in cell && cell.value !== undefined) fields[field] = cell.value;
  }
  return faults.length > 0 ? { faults } : { pet: fields as unknown as NewPet };
}

/** A name of invisible characters only is none. */
function trimmed<Cell extends CellValue>(field: keyof NewPet, cell: Cell): Cell {
  if (field !== 'name' || !('value' in cell) || typeof cell.value !== 'string') return cell;
  return { ...cell, value: trimName(cell.value) || undefined };
}

/** Reads the records of a CSV file. */
async function* readTable(records: AsyncIterable<FileRecord>, settings: ReadSettings): AsyncGenerator<Row, void> {
  const read = cellReader(settings);
  let columns: ColumnChoice | undefined;
  for await (const record of records) {
    if (!columns) {
      const found = headerFault(record, settings.columns);
      if (found) {
        yield { line: record.line, faults: [found] };
        return;
      }
      columns = settings.columns ?? ('cells' in record ? usedCells(record.cells).map(columnOf) : []);
      if (settings.hasHeader !== false) continue;
    }
    const corrected = settings.corrections?.[record.line];
    const cells = corrected && usedCells(corrected);
    // A person can empty a row.
    if (cells?.length !== 0) yield toRow(cells ? { line: record.line, cells } : record, columns, read);
  }
  if (!columns) yield { line: 1, faults: [fault('emptyFile')] };
}

/** Missing cells at the end are empty, and empty cells after the last column are ignored. */
function toRow(record: FileRecord, columns: ColumnChoice, read: CellReader): Row {
  const { line } = record;
  if ('fault' in record) {
    return { line, faults: [fault(record.fault)], ...('text' in record && { cells: [record.text] }) };
  }
  const { cells } = record;
  const { length } = usedCells(cells);
  if (length > columns.length) {
    return { line, faults: [fault('cellCount', { value: String(length), expected: columns.length })], cells };
  }
  const result = toPet((field) => read(field, cells[columns.indexOf(field)] ?? ''));
  return 'pet' in result ? { line, ...result } : { line, ...result, cells };
}

type CellReader = (field: keyof NewPet, text: string) => CellValue & { text: string };

function cellReader(settings: ReadSettings): CellReader {
  const idsOf = categoryLookup(settings);
  const keyOf = (field: string, value: string) => `${field} ${value.trim().toLowerCase()}`;
  const replaced = new Map(settings.replacements?.map(({ field, value, by }) => [keyOf(field, value), by]));
  return (field, text) => ({ ...readCell[field](replaced.get(keyOf(field, text)) ?? text, idsOf), text });
}

function categoryLookup({ categories, hasLooseNames }: ReadSettings): CategoryLookup | undefined {
  if (!categories) return undefined;
  const keyOf = (name: string) => (hasLooseNames ? foldName(visibleName(name)) : visibleName(name));
  const ids = new Map<string, bigint[]>();
  for (const { id, name } of categories) ids.set(keyOf(name), [...(ids.get(keyOf(name)) ?? []), BigInt(id)]);
  return (name) => ids.get(keyOf(name)) ?? [];
}

/** What is wrong with the first record. `choice` replaces the columns that it names. */
function headerFault(record: FileRecord, choice: ColumnChoice | undefined): Fault | undefined {
  if (choice) return undefined;
  if ('fault' in record) return fault(record.fault);
  const names = usedCells(record.cells);
  const columns = names.map(columnOf);
  const unknown = names.find((_, index) => columns[index] === undefined);
  if (unknown !== undefined) return fault('unknownColumns', { value: unknown, columns: names });
  const repeated = columns.find((column, index) => column && columns.indexOf(column) !== index);
  if (repeated) return fault('repeatedColumn', { field: repeated });
  const missing = requiredColumns.find((column) => !columns.includes(column));
  return missing && fault('missingColumn', { field: missing, columns: names });
}
