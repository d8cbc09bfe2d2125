import { type Pet, petFields, visibleName } from '@petstore/contracts';
import type { Layout } from '@petstore/import-export/check-rows.js';
import { guessColumn, isHeader, requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { Table } from '@petstore/table/table.js';
import { InvalidArgumentError } from 'commander';
import { CommandError, exitCodes, UsageError } from '../errors.js';

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

/** Whether cells are the names of the columns: those that the flags choose, else known ones. */
export function hasNames(cells: readonly string[], { columns, header }: LayoutFlags): boolean {
  if (!header || !columns) return header && isHeader(cells);
  const found = new Set(cells.map(visibleName));
  return Object.values(columns).every((name) => found.has(visibleName(name)));
}

/**
 * Finds the names of the columns and the first animal of a table.
 * @throws CommandError with the columns of the file if it does not have those that an import needs
 */
export function chooseLayout(table: Table, flags: LayoutFlags): Layout {
  const { columns, header, ignoreOtherColumns } = flags;
  if (table.format !== 'ndjson') return header ? byName(table, flags) : byPosition(table, columns);
  if (!columns && header && !ignoreOtherColumns) return { titleRows: 0, hasHeader: false, columns: petFields };
  throw new UsageError('--columns, --no-header and --ignore-other-columns are for Excel and CSV files.');
}

/** Titles may be above the names of the columns. More rows are not looked at. */
const maxTitleRows = 9;

function byName({ rows }: Table, flags: LayoutFlags): Layout {
  const { columns: chosen = {} } = flags;
  const firstRows = rows.slice(0, maxTitleRows + 1);
  const titleRows = firstRows.findIndex(({ cells }) => hasNames(cells, flags));
  if (titleRows === -1) throw unknownNames(firstRows, flags);
  const names = (rows[titleRows]?.cells ?? []).map(visibleName);
  const columns = names.map((name, index) => {
    if (name === '' && rows.slice(titleRows).every(({ cells }) => !cells[index]?.trim())) return null;
    const column = petFields.find((field) => chosen[field] !== undefined && visibleName(chosen[field]) === name);
    const known = guessColumn(name);
    return column ?? (known && chosen[known] !== undefined ? undefined : known);
  });
  const other = columns.indexOf(undefined);
  if (other !== -1 && !flags.ignoreOtherColumns) {
    const advice = 'Ignore it with --ignore-other-columns, or choose what it is with --columns.';
    throw refused(`The column "${names[other]}" is not known. ${advice}`, names);
  }
  rejectMissing(columns, names);
  return { titleRows, hasHeader: true, columns };
}

/** The other columns are ignored: they have no names that could be forgotten. */
function byPosition({ rows }: Table, positions: ColumnNames = {}): Layout {
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const isPosition = (text: string) => /^[1-9]\d*$/.test(text) && Number(text) <= width;
  const chosen = Object.values(positions);
  if (chosen.length === 0 || !chosen.every(isPosition)) {
    throw refused(`With --no-header, --columns must have the positions of columns, from 1 to ${width}.`);
  }
  const columns = Array.from(
    { length: width },
    (_, index) => petFields.find((field) => positions[field] === String(index + 1)) ?? null,
  );
  rejectMissing(columns);
  return { titleRows: 0, hasHeader: false, columns };
}

/** @throws CommandError if a field has no column or several */
function rejectMissing(columns: Layout['columns'], names?: readonly string[]): void {
  const repeated = columns.find((column, index) => column && column !== 'id' && columns.indexOf(column) !== index);
  if (repeated) throw refused(`Several columns are \`${repeated}\`. Choose one with --columns.`, names);
  const absent = requiredColumns.find((column) => !columns.includes(column));
  if (absent) throw refused(`Choose the column for \`${absent}\` with --columns.`, names);
}

/** A title has only one cell. */
function unknownNames(firstRows: Table['rows'], { columns: chosen = {} }: LayoutFlags): CommandError {
  const row = firstRows.find(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1) ?? firstRows[0];
  const names = row?.cells.map(visibleName) ?? [];
  const missing = Object.values(chosen).find((name) => !names.includes(visibleName(name)));
  if (missing !== undefined) {
    const hint = /^\d+$/.test(missing) ? ' For positions of columns, add --no-header.' : '';
    return refused(`The file has no column "${missing}".${hint}`, names);
  }
  return refused(
    'The columns are not known. Choose their names, such as --columns name=NAME,categoryId=NAME. If the first row is an ' +
      'animal, choose positions, such as --no-header --columns name=1,categoryId=2.',
    names,
  );
}

const maxShownNames = 20;

function refused(message: string, names: readonly string[] = []): CommandError {
  const shown = names.slice(0, maxShownNames).map((name) => `"${name.slice(0, 80)}"`);
  const list = [...shown, ...(names.length > maxShownNames ? ['…'] : [])].join(', ');
  return new CommandError(list ? `${message} The file has ${list}.` : message, exitCodes.refused);
}
