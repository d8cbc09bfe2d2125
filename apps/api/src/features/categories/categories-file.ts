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

/**
 * Reads a CSV file with the columns number and name, and an optional row with these names.
 * @throws ConfigError that names the invalid lines.
 */
export async function readCategoriesFile(path: string): Promise<NamedCategory[]> {
  const bytes = await readSmallFile(path).catch((error: Error) => {
    throw new ConfigError([`CATEGORIES_FILE: cannot read ${path}: ${error.message}`]);
  });
  const faults: string[] = [];
  const categories = toCategories(readRows(bytes, faults), faults);
  if (faults.length === 0) return categories;
  const hidden = faults.length > maxFaults ? [`${faults.length - maxFaults} more`] : [];
  const shown = [...faults.slice(0, maxFaults), ...hidden];
  throw new ConfigError(shown.map((fault) => `CATEGORIES_FILE: ${path}: ${fault}`));
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

/** Excel saves CSV in Windows-1252 if nothing else is chosen. */
function readRows(bytes: Uint8Array, faults: string[]): readonly TableRow[] {
  if (isWorkbook(bytes)) faults.push('is an Excel workbook. Save it as CSV');
  if (faults.length > 0) return [];
  try {
    const text = decodeAs(bytes, findEncoding(bytes) ?? 'windows-1252');
    const { rows } = readCsv(text, { isHeader: (cells) => isHeader(cells) || isCategory(cells) });
    return rows[0] && isHeader(rows[0].cells) ? rows.slice(1) : rows;
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    faults.push(error.message);
    return [];
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

function toCategories(rows: readonly TableRow[], faults: string[]): NamedCategory[] {
  const lines = new Map<bigint, number>();
  return rows.map((row) => {
    const [number, name = ''] = row.cells;
    const id = numberOf(number) ?? 0n;
    const fault = faultOf(row, lines.get(id));
    if (fault) faults.push(`line ${row.number}${fault}`);
    else lines.set(id, row.number);
    return { id, name: trimName(name) };
  });
}

/** `sameLine` has the same number. */
function faultOf({ cells, cellFaults }: TableRow, sameLine: number | undefined): string | undefined {
  if (cells.length !== 2) return ` must have 2 cells, number and name, not ${cells.length}`;
  // CSV has no other faults of cells.
  if (cellFaults) return ' has a formula. Write its result';
  const [number, name = ''] = cells;
  if (numberOf(number) === undefined) return `: number ${int64Rule}`;
  const nameFault = petNameFault(trimName(name));
  if (nameFault) return `: name ${petNameFaults[nameFault]}`;
  return sameLine === undefined ? undefined : `: number ${numberOf(number)} is already in line ${sameLine}`;
}
