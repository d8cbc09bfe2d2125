import { readFile, stat } from 'node:fs/promises';
import { int64Rule, type NamedCategory, parseInt64, petNameFault, petNameFaults, trimName } from '@petstore/contracts';
import { decode } from '@petstore/table/encoding.js';
import { isWorkbook } from '@petstore/table/other-format.js';
import { readCsv } from '@petstore/table/read-csv.js';
import type { TableRow } from '@petstore/table/table.js';
import { ConfigError } from '../../platform/errors/startup-error.js';

const maxBytes = 1024 * 1024;

/**
 * Reads a CSV file with the columns number and name, and an optional row with these names.
 * @throws ConfigError that names the first invalid line.
 */
export async function readCategoriesFile(path: string): Promise<NamedCategory[]> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new Error('it has more than 1 MB');
    return toCategories(readRows(await readFile(path)));
  } catch (error) {
    throw new ConfigError([`CATEGORIES_FILE: cannot read ${path}: ${(error as Error).message}`]);
  }
}

/** Differs whenever the file was changed, replaced, removed or created. */
export async function versionOf(path: string): Promise<string> {
  return stat(path).then(
    ({ ctimeMs, size }) => `${ctimeMs} ${size}`,
    (error: NodeJS.ErrnoException) => String(error.code),
  );
}

/** Excel saves CSV in Windows-1252 if nothing else is chosen. */
function readRows(bytes: Uint8Array): readonly TableRow[] {
  if (isWorkbook(bytes)) throw new Error('it is an Excel workbook. Save it as CSV');
  const { rows } = readCsv(decode(bytes).text, { isHeader: (cells) => isHeader(cells) || isCategory(cells) });
  return rows[0] && isHeader(rows[0].cells) ? rows.slice(1) : rows;
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

function toCategories(rows: readonly TableRow[]): NamedCategory[] {
  const lines = new Map<bigint, number>();
  return rows.map((row) => {
    const category = toCategory(row);
    const sameLine = lines.get(category.id);
    if (sameLine !== undefined)
      throw new Error(`line ${row.number}: number ${category.id} is already in line ${sameLine}`);
    lines.set(category.id, row.number);
    return category;
  });
}

function toCategory({ cells, cellFaults, number: line }: TableRow): NamedCategory {
  if (cells.length !== 2) throw new Error(`line ${line} must have 2 cells, number and name, not ${cells.length}`);
  // CSV has no other faults of cells.
  if (cellFaults) throw new Error(`line ${line} has a formula. Write its result`);
  const id = numberOf(cells[0]);
  if (id === undefined) throw new Error(`line ${line}: number ${int64Rule}`);
  const name = trimName(cells[1] ?? '');
  const fault = petNameFault(name);
  if (fault) throw new Error(`line ${line}: name ${petNameFaults[fault]}`);
  return { id, name };
}
