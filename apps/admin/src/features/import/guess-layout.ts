import { type Category, foldName, petFields, visibleName } from '@petstore/contracts';
import type { Layout } from '@petstore/import-export/check-rows.js';
import { type ColumnChoice, columnOf, guessColumn, isHeader } from '@petstore/import-export/pet-columns.js';
import { statusOf } from '@petstore/import-export/status-words.js';
import type { Table } from '@petstore/table/table.js';

/** A category of the store. Without a name, only its number is known. */
export type KnownCategory = Pick<Category, 'id' | 'name'>;

/** What the table itself says. A person confirms it, or chooses something else. */
export interface GuessedLayout extends Omit<Layout, 'hasHeader'> {
  /** `undefined` if the first row could be names of columns as well as an animal. */
  hasHeader: boolean | undefined;
}

/** More rows above the names of the columns are not looked for. */
const maxTitleRows = 9;
/** By so many rows the columns are guessed. */
const sampleRows = 20;

/**
 * Guesses the layout of a table. A value that the store has shows that a row is an animal, a known name of a column that it has
 * names. Without names, no row is a title: the first animal may have fewer cells than the others.
 * @param chosen what a person has said
 */
export function guessLayout(
  { format, rows }: Table,
  categories: readonly KnownCategory[],
  chosen: Partial<Omit<Layout, 'columns'>> = {},
): GuessedLayout {
  if (format === 'ndjson') return { titleRows: 0, hasHeader: false, columns: petFields };
  const kindOf = kindReader(categories);
  const sample = rows.slice(0, maxTitleRows + sampleRows).map(({ cells }) => cells);
  const titleRows = chosen.titleRows ?? countTitles(sample.slice(0, maxTitleRows + 1), kindOf);
  const [titles, names, body] = [sample.slice(0, titleRows), sample[titleRows] ?? [], sample.slice(titleRows + 1)];
  const hasHeader = chosen.hasHeader ?? hasNames(names, titles, kindOf);
  if (hasHeader === false) {
    const { titleRows: start = 0 } = chosen;
    return { titleRows: start, hasHeader, columns: guessByCells(sample.slice(start), kindOf) };
  }
  const [byName, byCells] = [guessColumns(names), guessByCells(body, kindOf, hasHeader)];
  const width = hasHeader ? byName.length : Math.max(byName.length, byCells.length);
  const columns = Array.from({ length: width }, (_, index) =>
    byName[index] !== undefined || byName.includes(byCells[index]) ? byName[index] : byCells[index],
  );
  return { titleRows, hasHeader, columns };
}

/**
 * The columns that names stand for. If several can be the same field, it is the one with the field's own name, else the first:
 * with `Animal` and `Name`, the name is in `Name`.
 */
function guessColumns(names: readonly string[]): ColumnChoice {
  const own = names.map(columnOf);
  const columns = names.map((name, index) => {
    const guess = guessColumn(name);
    return own[index] === undefined && own.includes(guess) ? undefined : guess;
  });
  return columns.map((column, index) => (columns.indexOf(column) === index ? column : undefined));
}

/** A title is above the known names of columns, or fills only one cell, or is a comment. */
function countTitles(rows: readonly Cells[], kindOf: KindReader): number {
  const names = rows.findIndex(isHeader);
  const isTitle = (cells: Cells) => {
    const filled = cells.filter((cell) => cell.trim() !== '');
    return filled.length <= 1 || (filled[0]?.startsWith('#') && !cells.some(kindOf));
  };
  return Math.max(0, names === -1 ? rows.findIndex((cells) => !isTitle(cells)) : names);
}

/** `undefined` if the row could also be an animal, or if the rows above it could be animals. */
function hasNames(cells: Cells, titles: readonly Cells[], kindOf: KindReader): boolean | undefined {
  const columns = cells.map(guessColumn);
  const category = columns.indexOf('categoryId');
  if (isHeader(cells))
    return titles.some((title) => kindOf(title[category])?.startsWith('category')) ? undefined : true;
  const [isNamed, hasValue] = [columns.some((column) => column !== undefined), cells.some(kindOf)];
  return isNamed === hasValue ? undefined : isNamed;
}

type Cells = readonly string[];
type KindReader = (cell: string | undefined) => 'categoryName' | 'categoryNumber' | 'number' | 'status' | undefined;

/** What a cell surely is, because no column has such a name. A `categoryNumber` is one of the store. */
function kindReader(categories: readonly KnownCategory[]): KindReader {
  const keyOf = (text: string) => foldName(visibleName(text));
  const names = new Set(categories.flatMap(({ name }) => (name === null ? [] : [keyOf(name)])));
  const numbers = new Set(categories.map(({ id }) => String(id)));
  return (cell = '') => {
    const key = keyOf(cell);
    if (names.has(key)) return 'categoryName';
    if (statusOf(cell)) return 'status';
    if (numbers.has(key)) return 'categoryNumber';
    return /^-?\d+$/.test(key) ? 'number' : undefined;
  };
}

/**
 * The name of the animal is in the first column of other texts, or in the only other column. Numbers can be positions, ages or
 * prices, also if they are numbers of categories: they are not the category if the columns have names, or if a further column
 * of texts can be it.
 */
function guessByCells(rows: readonly Cells[], kindOf: KindReader, isNamed = false): ColumnChoice {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const kinds = Array.from({ length: width }, (_, index) =>
    rows.flatMap((cells) => (cells[index]?.trim() ? [kindOf(cells[index]) ?? 'text'] : [])),
  );
  const canBeNumber = !isNamed && kinds.filter((column) => column.includes('text')).length <= 1;
  const categoryKinds = ['categoryName', ...(canBeNumber ? ['categoryNumber', 'number'] : [])];
  const categoryKind = categoryKinds.find((kind) => kinds.some((column) => column.includes(kind)));
  const [category, status] = [columnWith(kinds, categoryKind), columnWith(kinds, 'status')];
  const others = [...kinds.keys()].filter((index) => kinds[index]?.length && index !== category && index !== status);
  const name = others.find((index) => kinds[index]?.includes('text')) ?? (others.length === 1 ? others[0] : undefined);
  return kinds.map((_, index) => {
    if (index === name) return 'name';
    if (index === category) return 'categoryId';
    return index === status ? 'status' : undefined;
  });
}

/** The column that has at least twice as many values of a kind as any other. An animal can have the name of a category. */
function columnWith(kinds: readonly (readonly string[])[], kind: string | undefined): number | undefined {
  const counts = kinds.map((column) => column.filter((other) => other === kind).length);
  const [most = 0, second = 0] = counts.toSorted((one, other) => other - one);
  return most > 0 && most >= second * 2 ? counts.indexOf(most) : undefined;
}
