import { readFile, stat } from 'node:fs/promises';
import { int64Rule, type NamedCategory, parseInt64, petNameFault, petNameFaults, trimName } from '@petstore/contracts';
import { decodeAs, findEncoding } from '@petstore/table/encoding.js';
import { isWorkbook } from '@petstore/table/other-format.js';
import { readCsv } from '@petstore/table/read-csv.js';
import { TableError, type TableRow } from '@petstore/table/table.js';
import { ConfigError } from '../../platform/errors/startup-error.js';

/** More lines would not help to find the mistake. */
const maxFaults = 20;
const maxBytes = 1024 * 1024;

/** @throws ConfigError that names the invalid lines. */
export async function readCategoriesFile(path: string): Promise<NamedCategory[]> {
  const bytes = await readSmallFile(path).catch((error: Error) => {
    throw new ConfigError([`CATEGORIES_FILE: cannot read ${path}: ${error.message}`]);
  });
  const { categories, faults } = parseCategories(bytes);
  if (faults.length === 0) return categories;
  const shown = faults.slice(0, maxFaults).map((fault) => `CATEGORIES_FILE: ${path}: ${fault}`);
  const hidden = faults.length - shown.length;
  throw new ConfigError(hidden > 0 ? [...shown, `CATEGORIES_FILE: ${path}: ${hidden} more`] : shown);
}

async function readSmallFile(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new Error('it has more than 1 MB');
  return readFile(path);
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

/** Reads a CSV file with the columns number and name, and an optional row with these names. */
function parseCategories(bytes: Uint8Array): ParsedCategories {
  const rows = readRows(bytes);
  if ('fault' in rows) return { categories: [], faults: [rows.fault] };
  return { categories: rows.map(toCategory), faults: [...rows.flatMap(faultsOf), ...repetitions(rows)] };
}

/** Excel saves CSV in Windows-1252 if nothing else is chosen. */
function readRows(bytes: Uint8Array): readonly TableRow[] | { fault: string } {
  const text = decodeAs(bytes, findEncoding(bytes) ?? 'windows-1252');
  try {
    if (isWorkbook(bytes)) return { fault: 'is an Excel workbook. Save it as CSV' };
    const { rows } = readCsv(text, { isHeader: (cells) => isHeader(cells) || isCategory(cells) });
    return rows[0] && isHeader(rows[0].cells) ? rows.slice(1) : rows;
  } catch (error) {
    if (error instanceof TableError) return { fault: error.message };
    throw error;
  }
}

function isHeader(cells: readonly string[]): boolean {
  return cells.map((cell) => cell.trim().toLowerCase()).join() === 'number,name';
}

/** A number in the first of several cells shows the delimiter of a file without a header. */
function isCategory([number, ...others]: readonly string[]): boolean {
  return numberOf(number) !== undefined && others.length > 0;
}

function numberOf(cell = ''): bigint | undefined {
  return parseInt64(cell.trim());
}

function toCategory({ cells: [number, name = ''] }: TableRow): NamedCategory {
  return { id: numberOf(number) ?? 0n, name: trimName(name) };
}

function faultsOf({ number: row, cells }: TableRow): string[] {
  if (cells.length !== 2) return [`line ${row} must have 2 cells, number and name, not ${cells.length}`];
  const [number, name = ''] = cells;
  const nameFault = petNameFault(trimName(name));
  return [
    ...(numberOf(number) === undefined ? [`line ${row}: number ${int64Rule}`] : []),
    ...(nameFault ? [`line ${row}: name ${petNameFaults[nameFault]}`] : []),
  ];
}

function repetitions(rows: readonly TableRow[]): string[] {
  const known = new Map<bigint, number>();
  return rows.flatMap(({ number: row, cells }) => {
    const number = numberOf(cells[0]);
    if (number === undefined) return [];
    const earlier = known.get(number);
    known.set(number, earlier ?? row);
    return earlier === undefined ? [] : [`line ${row}: number ${number} is already in line ${earlier}`];
  });
}
