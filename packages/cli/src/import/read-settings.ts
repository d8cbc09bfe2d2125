import { type KeyInfo, printable, visibleName } from '@petstore/contracts';
import { detectEncoding } from '@petstore/import-export/detect-encoding.js';
import { type Encoding, encodings } from '@petstore/import-export/encoding.js';
import { type PetColumn, petColumns, columnOf, requiredColumns } from '@petstore/import-export/pet-columns.js';
import { doubtfulCells, readCsvStart } from '@petstore/import-export/read-start.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import type { Source } from '@petstore/import-export/source.js';
import { InvalidArgumentError } from 'commander';
import { type Credentials, readCategories } from '../connection.js';
import { UsageError } from '../errors.js';

/** The name of the column of a file for each field. */
export type ColumnNames = Partial<Record<PetColumn, string>>;

/** The flags that say how to read a CSV file. */
export interface ReadFlags {
  columns?: ColumnNames;
  ignoreOtherColumns?: true;
  encoding?: Encoding;
}

/** Parses the name of an encoding, also another one that browsers know, such as `latin1`, `sjis` or `cp1250`. */
export function toEncoding(text: string): Encoding {
  const label = text.trim().toLowerCase();
  const found = encodings.find(
    (encoding) => encoding === label || encoding === otherNames[label] || isLabel(label, encoding),
  );
  if (found) return found;
  throw new InvalidArgumentError(`It must be one of: ${encodings.join(', ')}.`);
}

/** Common names that are not in the Encoding Standard, or that it has as encodings of their own. */
const otherNames: Readonly<Record<string, Encoding>> = {
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  cp850: 'ibm850',
  cp932: 'shift_jis',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  cp949: 'euc-kr',
};

function isLabel(label: string, encoding: Encoding): boolean {
  try {
    return new TextDecoder(label).encoding === encoding;
  } catch {
    return false;
  }
}

/** Parses `name=Tiername,categoryId=Kategorie`. A name of a column may contain commas. The flag may occur several times. */
export function toColumnNames(text: string, earlier: ColumnNames = {}): ColumnNames {
  const names = { ...earlier };
  for (const pair of text.split(new RegExp(`,(?=(?:${petColumns.join('|')})=)`))) {
    const [, field, name] = /^([^=]*)=(.+)$/s.exec(pair) ?? [];
    const column = petColumns.find((known) => known === field);
    if (!column || name === undefined) {
      throw new InvalidArgumentError(
        `Write FIELD=COLUMN for the fields ${petColumns.join(', ')}, separated by commas.`,
      );
    }
    if (names[column] !== undefined) throw new InvalidArgumentError(`It names two columns for \`${column}\`.`);
    names[column] = name;
  }
  return names;
}

/** The service, and the API key that the import uses. */
export interface ServiceAccess {
  credentials: Credentials;
  keyInfo: KeyInfo;
}

/** The settings by which a new import reads the file. */
export async function chooseReadSettings(
  source: Source,
  flags: ReadFlags,
  service: ServiceAccess | undefined,
  note: (text: string) => void,
): Promise<ReadSettings> {
  const encoding = flags.encoding ?? (await assumeEncoding(source, note));
  const chosen = await chooseColumns(source, { ...flags, encoding });
  const found = service?.keyInfo.scopes.includes('read') ? await readCategories(service.credentials) : [];
  const categories = found.flatMap(({ id, name }) => (name === null ? [] : [{ id: String(id), name }]));
  return { encoding, ...chosen, ...(categories.length > 0 && { categories }) };
}

/** Detects the encoding, and prints a guess. */
async function assumeEncoding(source: Source, note: (text: string) => void): Promise<Encoding> {
  const { encoding, isGuess } = await detectEncoding(source);
  if (!isGuess) return encoding;
  const examples = (await doubtfulCells(source, { encoding }))
    .map((cell) => `"${printable(cell.slice(0, 40))}"`)
    .join(', ');
  note(`The file is not UTF-8. Assuming ${encoding}: ${examples}. If this is wrong, choose another with --encoding.`);
  return encoding;
}

/**
 * The columns, and the title above their names, which is skipped.
 * @throws UsageError if the file does not have the columns.
 */
async function chooseColumns(
  source: Source,
  flags: ReadFlags,
): Promise<Pick<ReadSettings, 'columns' | 'titleRows'> | undefined> {
  const { columns: names = {}, ignoreOtherColumns } = flags;
  if (!flags.columns && !ignoreOtherColumns) return undefined;
  const start = await readCsvStart(source, { hasHeader: true, encoding: flags.encoding });
  if (!start) throw new UsageError('--columns and --ignore-other-columns are for CSV files.');
  const headers = start.names.map(visibleName);
  const found = headers.map((header) => `"${header}"`).join(', ');
  const missing = Object.values(names).find((name) => !headers.includes(visibleName(name)));
  if (missing !== undefined) throw new UsageError(`The file has no column "${missing}". It has ${found}.`);
  const chosen = petColumns.filter((column) => names[column] !== undefined);
  const columns = headers.map((header) => {
    const field = chosen.find((column) => visibleName(names[column] ?? '') === header);
    const own = columnOf(header);
    return field ?? (own && !chosen.includes(own) ? own : undefined);
  });
  const ignored = columns.indexOf(undefined);
  if (ignored !== -1 && !ignoreOtherColumns) {
    throw new UsageError(`The column "${headers[ignored]}" has no field. Ignore it with --ignore-other-columns.`);
  }
  const repeated = columns.find((column, index) => column && columns.indexOf(column) !== index);
  if (repeated) {
    throw new UsageError(
      `Several columns of the file are \`${repeated}\`. Choose one with --columns, or rename the others.`,
    );
  }
  const absent = requiredColumns.find((column) => !columns.includes(column));
  if (absent) throw new UsageError(`Choose the column for \`${absent}\` with --columns. The file has ${found}.`);
  return { columns, ...(start.titleRows > 0 && { titleRows: start.titleRows }) };
}
