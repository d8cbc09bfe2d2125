import type { KeyInfo } from '@petstore/contracts';
import { type PetColumn, petColumns, columnOf, requiredColumns } from '@petstore/import-export/pet-columns.js';
import { readCsvStart } from '@petstore/import-export/read-start.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import type { Source } from '@petstore/import-export/source.js';
import { InvalidArgumentError } from 'commander';
import { type Connection, readCategories } from '../connection.js';
import { UsageError } from '../errors.js';

/** The name of the column of a file for each field. */
export type ColumnNames = Partial<Record<PetColumn, string>>;

export interface ColumnFlags {
  columns?: ColumnNames;
  ignoreOtherColumns?: true;
}

/** Parses `name=Tiername,categoryId=Kategorie`. A name of a column may contain commas. */
export function toColumnNames(text: string): ColumnNames {
  const pairs = text.split(new RegExp(`,(?=(?:${petColumns.join('|')})=)`)).map((pair) => {
    const [, field, name] = /^([^=]*)=(.+)$/s.exec(pair) ?? [];
    const column = petColumns.find((known) => known === field);
    if (column && name !== undefined) return [column, name] as const;
    throw new InvalidArgumentError(`Write FIELD=COLUMN for the fields ${petColumns.join(', ')}, separated by commas.`);
  });
  return Object.fromEntries(pairs);
}

/** The settings by which a new import reads the file. */
export async function chooseSettings(
  source: Source,
  flags: ColumnFlags,
  service: { connection: Connection; keyInfo: KeyInfo } | undefined,
): Promise<ReadSettings> {
  const columns = await chooseColumns(source, flags);
  const categories = service?.keyInfo.scopes.includes('read') ? await readCategories(service.connection) : [];
  return {
    ...(columns && { columns }),
    ...(categories.length > 0 && { categories: categories.map(({ id, name }) => ({ id: String(id), name })) }),
  };
}

/** @throws UsageError if the file does not have the columns. */
async function chooseColumns(source: Source, flags: ColumnFlags): Promise<ReadSettings['columns']> {
  const { columns: names = {}, ignoreOtherColumns } = flags;
  if (!flags.columns && !ignoreOtherColumns) return undefined;
  const start = await readCsvStart(source, { hasHeader: true });
  if (!start) throw new UsageError('--columns and --ignore-other-columns are for CSV files.');
  const headers = start.names.map((name) => name.trim());
  const found = headers.map((header) => `"${header}"`).join(', ');
  const missing = Object.values(names).find((name) => !headers.includes(name.trim()));
  if (missing !== undefined) throw new UsageError(`The file has no column "${missing}". It has ${found}.`);
  const chosen = petColumns.filter((column) => names[column] !== undefined);
  const columns = headers.map((header) => {
    const field = chosen.find((column) => names[column]?.trim() === header);
    const own = columnOf(header);
    return field ?? (own && !chosen.includes(own) ? own : undefined);
  });
  const ignored = columns.indexOf(undefined);
  if (ignored !== -1 && !ignoreOtherColumns) {
    throw new UsageError(`The column "${headers[ignored]}" has no field. Ignore it with --ignore-other-columns.`);
  }
  const absent = requiredColumns.find((column) => !columns.includes(column));
  if (absent) throw new UsageError(`Choose the column for \`${absent}\` with --columns. The file has ${found}.`);
  return columns;
}
