import { isInt64, type NewPet, parseJson, type Pet, petFields, petNameFault, petStatuses } from '@petstore/contracts';
import { type FaultCode, hasSeparators } from './faults.js';

/** The columns of an exported file, in this order. An import matches them by name and ignores `id`. */
export const petColumns = petFields;
/** A column of an exported file. */
export type PetColumn = keyof Pet;

/** The names of the categories in an exported file, which an import ignores: the numbers are next to them. */
export const categoryNameColumn = 'categoryName';

/** An import needs these. */
export const requiredColumns = ['name', 'categoryId'] as const satisfies PetColumn[];

/** The column of each cell. Without one, the cell is ignored. */
export type ColumnChoice = readonly (PetColumn | null | undefined)[];

/** Common names of the columns, besides their own, in English, German, French and Spanish. Without accents and case. */
const commonNames: Record<PetColumn, readonly string[]> = {
  id: ['number', 'no', 'nummer', 'nr', 'numero', 'animalnumber', 'tiernummer'],
  name: [
    'animal',
    'animalname',
    'pet',
    'petname',
    'tier',
    'tiername',
    'nom',
    'nomdelanimal',
    'nombre',
    'nombredelanimal',
  ],
  categoryId: [
    'category',
    'categorynumber',
    'categoryno',
    'kategorie',
    'kategorienummer',
    'kategorieid',
    'categorie',
    'numerodecategorie',
    'categoria',
    'numerodecategoria',
    'idcategoria',
    'idcategorie',
  ],
  status: ['state', 'availability', 'zustand', 'statut', 'etat', 'estado'],
};

/** The column that a name of the first line stands for, `null` if an import ignores it. Ignores case, spaces, `_` and `-`: `Category ID` is `categoryId`. */
export function columnOf(name: string): PetColumn | null | undefined {
  const plain = plainText(name);
  if (plain === categoryNameColumn.toLowerCase()) return null;
  return petColumns.find((column) => column.toLowerCase() === plain);
}

/** Like `columnOf`, with the common names. A person confirms the result. */
export function guessColumn(name: string): PetColumn | null | undefined {
  const plain = plainText(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
  const column = columnOf(name);
  return column === undefined ? petColumns.find((other) => commonNames[other].includes(plain)) : column;
}

function plainText(name: string): string {
  return name.replaceAll(/[\s_.'’-]/g, '').toLowerCase();
}

/** The ids of the categories with a name. */
export type CategoryLookup = (name: string) => readonly bigint[];

/** A value, or why the cell has none. */
export type CellValue = { value: unknown } | { fault: FaultCode };

/** Reads a cell of a CSV file. An empty cell is an omitted field. A new field does not compile until it is here. */
export const readCell: {
  [Field in keyof Required<NewPet>]: (cell: string, idsOf: CategoryLookup | undefined) => CellValue;
} = {
  name: (cell) => ({ value: removeFormulaPrefix(cell) }),
  categoryId: (cell, idsOf) => readCategory(cell.trim(), idsOf),
  status: (cell) => ({ value: cell.trim().toLowerCase() || undefined }),
};

/** The first rule of the service that a field breaks. A new field does not compile until it is here. */
export const fieldFaults: { [Field in keyof Required<NewPet>]: (value: unknown) => FaultCode | undefined } = {
  name: (value) => missing(value) ?? (typeof value === 'string' ? petNameFault(value) : 'wrongType'),
  categoryId: (value) => missing(value) ?? integerFault(value),
  status: (value) => {
    const isValid = value === undefined || petStatuses.some((status) => status === value);
    return isValid ? undefined : 'unknownStatus';
  },
};

function missing(value: unknown): 'required' | undefined {
  return value === undefined ? 'required' : undefined;
}

function integerFault(value: unknown): FaultCode | undefined {
  if (isInt64(value)) return undefined;
  if (typeof value === 'bigint') return 'outOfRange';
  if (typeof value !== 'number') return 'wrongType';
  // A `number` is a fraction, or an integer of more than 40 digits.
  return Number.isInteger(value) || !Number.isFinite(value) ? 'outOfRange' : 'fraction';
}

function readCategory(text: string, idsOf: CategoryLookup | undefined): CellValue {
  if (text === '') return { value: undefined };
  // An int64 has at most 19 digits. More than 40 would only cost time.
  // Spreadsheets write 7 as 7.0 or 7,00 if other cells of the column are fractions. 1.000 could be a thousand.
  const [, digits] = /^([+-]?\d+)(?:[.,]0{1,2})?$/.exec(text) ?? [];
  if (digits !== undefined) return digits.length > 40 ? { fault: 'outOfRange' } : { value: BigInt(digits) };
  if (/^[+-]?\d*[.,]\d+$/.test(text)) return { fault: 'fraction' };
  // Spreadsheets write 1E+05 or 1.0E5 for any number near 100,000. The service accepts 1e2.
  if (/^[+-]?\d+([.,]\d*)?(E[+-]\d+|e[+-]\d{2,})$|^[+-]?\d+[.,]\d+E\d+$/.test(text)) return { fault: 'numberFormat' };
  if (/^-?(0|[1-9]\d*)(\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return { value: parseJson(text) };
  return readCategoryName(text, idsOf);
}

function readCategoryName(text: string, idsOf: CategoryLookup | undefined): CellValue {
  const [id, ...others] = idsOf?.(text) ?? [];
  if (id !== undefined) return others.length > 0 ? { fault: 'ambiguousCategory' } : { value: id };
  // The admin shows a category without a name so.
  const [, number] = /^category ([+-]?\d+)$/i.exec(text) ?? [];
  if (number !== undefined) return readCategory(number, idsOf);
  if (hasSeparators(text)) return { fault: 'fraction' };
  return { fault: idsOf ? 'unknownCategory' : 'notNumber' };
}

/**
 * Spreadsheets run a cell that starts with one of these as a formula; `'` is here because it is the prefix. Some also read
 * the fullwidth characters like the plain ones.
 */
const risky = /^['=+\-@\t\r\n＝＋－＠]/;
const prefixed = /^'['=+\-@\t\r\n＝＋－＠]/;

/** Adds the prefix `'` to a name that a spreadsheet could run as a formula. */
export function addFormulaPrefix(name: string): string {
  return risky.test(name) ? `'${name}` : name;
}

/** Removes the prefix from exactly the names that `addFormulaPrefix` creates. */
export function removeFormulaPrefix(cell: string): string {
  return prefixed.test(cell) ? cell.slice(1) : cell;
}
