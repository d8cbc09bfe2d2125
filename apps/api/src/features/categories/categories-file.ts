import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import {
  type CsvFault,
  type CsvRecord,
  CsvRecords,
  int64Rule,
  type NamedCategory,
  parseInt64,
  petNameFault,
  petNameFaults,
} from '@petstore/contracts';
import { encodingFault } from '../../platform/config/parsers.js';
import { ConfigError } from '../../platform/errors/startup-error.js';

/** More lines would not help to find the mistake. */
const maxFaults = 20;

const lineBreak = /\r\n?|\n/;

const quoteFaults: Record<CsvFault, string> = {
  openQuote: 'a quoted cell has no closing quotation mark',
  misplacedQuote: 'a quotation mark in a quoted cell must be doubled',
};

type CsvRow = Extract<CsvRecord, { cells: unknown }>;

/** @throws ConfigError that names the invalid lines. */
export async function readCategoriesFile(path: string): Promise<NamedCategory[]> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new ConfigError([`CATEGORIES_FILE: cannot read ${path}: ${error.message}`]);
  });
  const { categories, faults } = parseCategories(bytes);
  if (faults.length === 0) return categories;
  const shown = faults.slice(0, maxFaults).map((fault) => `CATEGORIES_FILE: ${path}: ${fault}`);
  const hidden = faults.length - shown.length;
  throw new ConfigError(hidden > 0 ? [...shown, `CATEGORIES_FILE: ${path}: ${hidden} more`] : shown);
}

/** Differs whenever the file was changed, replaced, removed or created. */
export async function versionOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ctimeMs, size }) => `${ctimeMs} ${size}`,
    (error: NodeJS.ErrnoException) => String(error.code),
  );
}

interface ParsedCategories {
  categories: NamedCategory[];
  /** What is wrong, with the numbers of the lines. */
  faults: string[];
}

/** Reads a CSV file with the columns number and name, and an optional header row. */
function parseCategories(bytes: Buffer): ParsedCategories {
  const fault = encodingFault(bytes);
  // Of another encoding, the lines are named below.
  if (fault?.includes('UTF-16')) return { categories: [], faults: [fault] };
  const undecodable = invalidLines(bytes);
  if (undecodable.length > 0) {
    return { categories: [], faults: undecodable.map((line) => `line ${line} must be UTF-8`) };
  }
  // The decoder removes a byte order mark.
  const records = readRecords(new TextDecoder().decode(bytes)).filter(
    (record, index) => index > 0 || !isHeader(record),
  );
  const faults = records.flatMap(faultsOf);
  if (faults.length > 0) return { categories: [], faults };
  const rows = records.filter((record) => 'cells' in record);
  const repeated = repetitions(rows);
  return { categories: repeated.length > 0 ? [] : rows.map(toCategory), faults: repeated };
}

/** The records without empty lines. */
function readRecords(text: string): CsvRecord[] {
  const reader = new CsvRecords({ delimiter: ',' });
  const lines = text.split(lineBreak).map((line, index) => ({ number: index + 1, text: line }));
  const records = [...lines.flatMap((line) => [...reader.push(line)]), ...reader.end()];
  return records.filter((record) => 'fault' in record || record.cells.join('') !== '' || record.cells.length > 1);
}

function isHeader(record: CsvRecord): boolean {
  return 'cells' in record && record.cells.join(',').toLowerCase() === 'number,name';
}

function toCategory({ cells: [number = '', name = ''] }: CsvRow): NamedCategory {
  return { id: BigInt(number), name };
}

function faultsOf(record: CsvRecord): string[] {
  const { line } = record;
  if ('fault' in record) return [`line ${line}: ${quoteFaults[record.fault]}`];
  const { cells } = record;
  if (cells.length !== 2) return [`line ${line} must have 2 cells, number and name, not ${cells.length}`];
  const [number = '', name = ''] = cells;
  const nameFault = petNameFault(name);
  return [
    ...(parseInt64(number) === undefined ? [`line ${line}: number ${int64Rule}`] : []),
    ...(nameFault ? [`line ${line}: name ${petNameFaults[nameFault]}`] : []),
  ];
}

function repetitions(rows: readonly CsvRow[]): string[] {
  const lines = new Map<string | undefined, number>();
  return rows.flatMap(({ line, cells: [number] }) => {
    const earlier = lines.get(number);
    lines.set(number, earlier ?? line);
    return earlier === undefined ? [] : [`line ${line}: number ${number} is already on line ${earlier}`];
  });
}

/** The numbers of the lines that are not valid UTF-8. */
function invalidLines(bytes: Buffer): number[] {
  if (isUtf8(bytes)) return [];
  const lines = bytes.toString('latin1').split(lineBreak);
  return lines.flatMap((line, index) => (isUtf8(Buffer.from(line, 'latin1')) ? [] : [index + 1]));
}
