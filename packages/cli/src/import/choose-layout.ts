import { type Pet, petFields, visibleName } from '@petstore/contracts';
import { type GuessedLayout, guessLayout, type KnownCategory, type Layout } from '@petstore/import-export/layout.js';
import { columnOf, guessColumn, requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { Table } from '@petstore/table/table.js';
import { InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.js';

/** The column of a file for each field: its name, or with `--no-header` its position. */
export type ColumnNames = Partial<Record<keyof Pet, string>>;

/** The flags that say what the rows and columns of a file mean. */
export interface LayoutFlags {
  columns?: ColumnNames;
  /** `false` with `--no-header`. */
  header: boolean;
  ignoreOtherColumns?: true;
}

/** Parses `name=Tiername,categoryId=Kategorie`. A name of a column may contain commas. The flag may occur several times. */
export function toColumnNames(text: string, earlier: ColumnNames = {}): ColumnNames {
  const names = { ...earlier };
  for (const pair of text.split(new RegExp(`,(?=(?:${petFields.join('|')})=)`))) {
    const [, field, name] = /^([^=]*)=(.+)$/s.exec(pair) ?? [];
    const column = petFields.find((known) => known === field);
    if (!column || name === undefined) {
      const fields = petFields.join(', ');
      throw new InvalidArgumentError(`Write FIELD=COLUMN for the fields ${fields}, separated by commas.`);
    }
    if (names[column] !== undefined) throw new InvalidArgumentError(`It names two columns for \`${column}\`.`);
    names[column] = name;
  }
  return names;
}

/** Whether cells have all the names of the columns that the flags choose. */
export function hasChosenNames(cells: readonly string[], { columns = {}, header }: LayoutFlags): boolean {
  const [names, found] = [Object.values(columns).map(visibleName), cells.map(visibleName)];
  return header && names.length > 0 && names.every((name) => found.includes(name));
}

/**
 * Finds the names of the columns and the first animal of a table: by the flags, or by what the table says.
 * @throws UsageError if this is not sure. It contains no value of a row that may be an animal.
 */
export function chooseLayout(table: Table, flags: LayoutFlags, categories: readonly KnownCategory[]): Layout {
  const { columns: names, header } = flags;
  const guess = guessLayout(table, categories);
  if (table.format === 'ndjson' && (names || !header || flags.ignoreOtherColumns)) {
    throw new UsageError('--columns, --no-header and --ignore-other-columns are for Excel and CSV files.');
  }
  if (names) return header ? withNames(table, findNames(table, flags, guess), flags) : byPosition(table, names, flags);
  if (header && guess.hasHeader) return withNames(table, guess.titleRows, flags);
  const { columns } = guess;
  const isClear = !columns.includes(undefined) && requiredColumns.every((column) => columns.includes(column));
  if (isClear && (!header || guess.hasHeader === false)) return { titleRows: 0, hasHeader: false, columns };
  throw new UsageError(
    'It is not clear what the columns are, and whether the first row is an animal. If it has the names of the columns, ' +
      'choose them, such as --columns name=NAME,categoryId=NAME. If it is an animal, choose their positions, such as ' +
      '--no-header --columns name=1,categoryId=2.',
  );
}

/** The columns in a sentence. `undefined` if the flags choose them, or they have the names of the fields. */
export function describeColumns({ format, rows }: Table, layout: Layout, flags: LayoutFlags): string | undefined {
  const { titleRows, hasHeader, columns } = layout;
  const names = hasHeader ? (rows[titleRows]?.cells ?? []) : [];
  const isKnown = hasHeader && columns.every((column, index) => !column || columnOf(names[index] ?? '') === column);
  if (isKnown || flags.columns || format === 'ndjson') return undefined;
  const sourceOf = (index: number) => (hasHeader ? `"${visibleName(names[index] ?? '')}"` : `column ${index + 1}`);
  const parts = columns.flatMap((column, index) => (column ? `${column} from ${sourceOf(index)}` : []));
  const start = hasHeader ? '' : 'The first row is an animal. ';
  return `${start}Reading ${parts.join(', ')}. If this is wrong, choose with --columns.`;
}

function byPosition({ rows }: Table, names: ColumnNames, flags: LayoutFlags): Layout {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const isPosition = (text: string) => /^[1-9]\d*$/.test(text) && Number(text) <= width;
  if (!Object.values(names).every(isPosition)) {
    throw new UsageError(`With --no-header, --columns must have the positions of columns, from 1 to ${width}.`);
  }
  const columns = Array.from({ length: width }, (_, index) =>
    petFields.find((column) => names[column] === String(index + 1)),
  );
  // The others are ignored: they have no names that could be forgotten.
  const layout = { titleRows: 0, hasHeader: false, columns: columns.map((column) => column ?? null) };
  return checkColumns(layout, [], flags);
}

/** The position of the row with the names of the columns. */
function findNames({ rows }: Table, flags: LayoutFlags, guess: GuessedLayout): number {
  const found = rows.slice(0, 10).findIndex(({ cells }) => hasChosenNames(cells, flags));
  if (found !== -1) return found;
  const known = guess.hasHeader ? rows[guess.titleRows]?.cells.map(visibleName) : undefined;
  const missing = Object.values(flags.columns ?? {}).find((name) => !known?.includes(visibleName(name)));
  const hint = /^\d+$/.test(missing ?? '') ? ' For positions of columns, add --no-header.' : '';
  throw new UsageError(`The file has no column "${missing}".${known ? ` It has ${listOf(known)}.` : ''}${hint}`);
}

function withNames({ rows }: Table, titleRows: number, flags: LayoutFlags): Layout {
  const { columns: chosen = {} } = flags;
  const names = (rows[titleRows]?.cells ?? []).map(visibleName);
  const columns = names.map((name, index) => {
    if (name === '' && rows.slice(titleRows).every(({ cells }) => !cells[index]?.trim())) return null;
    const column = petFields.find((field) => chosen[field] !== undefined && visibleName(chosen[field]) === name);
    const known = guessColumn(name);
    return column ?? (known && chosen[known] !== undefined ? undefined : known);
  });
  return checkColumns({ titleRows, hasHeader: true, columns }, names, flags);
}

/** @throws UsageError if a field has no column or several, or a column has no field */
function checkColumns(layout: Layout, names: readonly string[], { ignoreOtherColumns }: LayoutFlags): Layout {
  const { columns } = layout;
  // With an unknown name, the row may be an animal.
  const found = names.some((name) => guessColumn(name)) ? ` The file has ${listOf(names)}.` : '';
  const repeated = columns.find((column, index) => column && column !== 'id' && columns.indexOf(column) !== index);
  if (repeated) throw new UsageError(`Several columns are \`${repeated}\`. Choose one with --columns.${found}`);
  const absent = requiredColumns.find((column) => !columns.includes(column));
  if (absent) throw new UsageError(`Choose the column for \`${absent}\` with --columns.${found}`);
  const other = columns.indexOf(undefined);
  if (other === -1 || ignoreOtherColumns) return layout;
  const name = names[other] ? `The column "${names[other]}"` : `Column ${other + 1}`;
  throw new UsageError(
    `${name} is not known. Ignore it with --ignore-other-columns, or choose what it is with --columns.`,
  );
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `"${name.slice(0, 80)}"`).join(', ');
}
