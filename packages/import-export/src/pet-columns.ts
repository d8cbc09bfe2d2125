import {
  foldName,
  isInt64,
  type NewPet,
  parseJson,
  type Pet,
  petFields,
  petNameFault,
  type PetStatus,
  trimName,
  visibleName,
} from '@petstore/contracts';
import { type FaultCode, hasSeparators } from './faults.js';
import { foldWord, statusOf } from './status-words.js';

/** The names of the categories in an exported file, which an import ignores: the numbers are next to them. */
export const categoryNameColumn = 'categoryName' as const;

/** An import needs these. */
export const requiredColumns = ['name', 'categoryId'] as const satisfies (keyof Pet)[];

/** The field of each cell. Without one, or with `id`, the cell is ignored. */
export type ColumnChoice = readonly (keyof Pet | null | undefined)[];

/** Common names of the columns, besides their own, in English, German, French and Spanish. Without spaces, accents and case. */
const commonNames: Record<keyof Pet, string> = {
  id: 'number no nummer nr numero animalnumber tiernummer',
  name: 'animal animalname pet petname tier tiername nom nomdelanimal nombre nombredelanimal',
  categoryId:
    'category categorynumber categoryno kategorie kategorienummer kategorieid categorie numerodecategorie idcategorie ' +
    'categoria numerodecategoria idcategoria species animaltype tierart art gattung espece especie',
  status: 'state availability zustand statut etat estado',
};

/**
 * The column that a name of the first line stands for, `null` if an import ignores it. Only letters and digits count, and
 * neither their case nor their accents: `Category ID*` is `categoryId`.
 */
export function columnOf(name: string): keyof Pet | null | undefined {
  const plain = foldWord(name);
  if (plain === categoryNameColumn.toLowerCase()) return null;
  return petFields.find((column) => column.toLowerCase() === plain);
}

/** Like `columnOf`, also by the common names. */
export function guessColumn(name: string): keyof Pet | null | undefined {
  const plain = foldWord(name);
  const column = columnOf(name);
  return column === undefined ? petFields.find((other) => commonNames[other].split(' ').includes(plain)) : column;
}

/** Whether these cells are the names of the columns that an import needs. */
export function isHeader(cells: readonly string[]): boolean {
  const known = new Set(cells.map(guessColumn));
  return requiredColumns.every((column) => known.has(column));
}

/** A category of the store. Plain data: its id is a text. */
export interface PlainCategory {
  id: string;
  name: string | null;
}

/** The categories of the store, by their names and ids. */
export interface CategoryLookup {
  idsOf: (name: string) => readonly bigint[];
  ids: ReadonlySet<bigint>;
}

/** Finds categories by their names. Case, accents and spaces do not matter, unless they distinguish two categories. */
export function categoryLookup(categories: readonly PlainCategory[]): CategoryLookup {
  const [exact, folded] = [new Map<string, bigint[]>(), new Map<string, bigint[]>()];
  for (const { id, name } of categories) {
    if (name === null) continue;
    const visible = visibleName(name);
    exact.set(visible, [...(exact.get(visible) ?? []), BigInt(id)]);
    folded.set(foldName(visible), [...(folded.get(foldName(visible)) ?? []), BigInt(id)]);
  }
  const idsOf = (name: string) => exact.get(visibleName(name)) ?? folded.get(foldName(visibleName(name))) ?? [];
  return { idsOf, ids: new Set(categories.map(({ id }) => BigInt(id))) };
}

/** A value, or why the cell has none. */
export type CellValue<Value = unknown> = { value: Value } | { fault: FaultCode; named?: bigint };

/** Reads a cell by the rules of the service. A new field does not compile until it is here. */
export const readCell: {
  [Field in keyof Required<NewPet>]: (cell: string, lookup: CategoryLookup | undefined) => CellValue<NewPet[Field]>;
} = {
  name: (cell) => readName(trimName(cell)),
  categoryId: (cell, lookup) => readCategory(trimName(cell), lookup),
  status: (cell) => readStatus(trimName(cell)),
};

function readName(name: string): CellValue<string> {
  const fault = name === '' ? 'required' : petNameFault(name);
  return fault ? { fault } : { value: name };
}

function readStatus(text: string): CellValue<PetStatus | undefined> {
  const value = statusOf(text);
  return value || text === '' ? { value } : { fault: 'unknownStatus' };
}

function readCategory(text: string, lookup: CategoryLookup | undefined): CellValue<bigint> {
  if (text === '') return { fault: 'required' };
  const number = readNumber(text);
  return number ? readNumberOrName(text, number, lookup) : readCategoryName(text, lookup);
}

/** A category can be called "2024". */
function readNumberOrName(
  text: string,
  number: CellValue<bigint>,
  lookup: CategoryLookup | undefined,
): CellValue<bigint> {
  const id = 'value' in number ? number.value : undefined;
  const [named, ...others] = lookup?.idsOf(text).filter((other) => other !== id) ?? [];
  if (named === undefined) return number;
  if (id !== undefined && lookup?.ids.has(id)) return { fault: 'numberOrName', named };
  return others.length > 0 ? { fault: 'ambiguousCategory' } : { value: named };
}

/** `undefined` if the text is no number. */
function readNumber(text: string): CellValue<bigint> | undefined {
  // Spreadsheets write 7 as 7.0 or 7,00 if other cells of the column are fractions. 1.000 could be a thousand.
  const [, digits] = /^([+-]?\d+)(?:[.,]0{1,2})?$/.exec(text) ?? [];
  // An int64 has at most 19 digits. More than 40 would only cost time.
  if (digits !== undefined) return toCategory(digits.length > 40 ? Infinity : BigInt(digits));
  if (/^[+-]?\d*[.,]\d+$/.test(text)) return { fault: 'fraction' };
  // Spreadsheets write 1E+05 or 1.0E5 for any number near 100,000. The service accepts 1e2.
  if (/^[+-]?\d+([.,]\d*)?(E[+-]\d+|e[+-]\d{2,})$|^[+-]?\d+[.,]\d+E\d+$/.test(text)) return { fault: 'numberFormat' };
  if (/^-?(0|[1-9]\d*)(\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return toCategory(parseJson(text) as bigint | number);
  return undefined;
}

/** A `number` is a fraction, or an integer of more than 40 digits. */
function toCategory(value: bigint | number): CellValue<bigint> {
  if (isInt64(value)) return { value };
  return {
    fault: typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value) ? 'fraction' : 'outOfRange',
  };
}

function readCategoryName(text: string, lookup: CategoryLookup | undefined): CellValue<bigint> {
  const [id, ...others] = lookup?.idsOf(text) ?? [];
  if (id !== undefined) return others.length > 0 ? { fault: 'ambiguousCategory' } : { value: id };
  // The admin shows a category without a name so.
  const [, number = ''] = /^category (.*)$/i.exec(text) ?? [];
  const found = readNumber(number);
  if (found) return found;
  if (hasSeparators(text)) return { fault: 'fraction' };
  return { fault: lookup ? 'unknownCategory' : 'notNumber' };
}
