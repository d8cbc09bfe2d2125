import { type NewPet, int64Fault, nameFault, type Pet, statusFault } from '@petstore/contracts';
import { removeFormulaPrefix } from './formula-prefix.js';

/** The columns of an exported file, in this order. An import matches them by name and ignores `id`. */
export const petColumns = ['id', 'name', 'categoryId', 'status'] as const satisfies (keyof Pet)[];
export type PetColumn = (typeof petColumns)[number];

/** An import needs these. */
export const requiredColumns = ['name', 'categoryId'] as const satisfies PetColumn[];

/** The fields of a line, as they are in the file. */
export type Fields = Record<string, unknown>;

/** Reads a cell of a CSV file. An empty cell is an omitted field. */
export const readCell: Record<PetColumn, (cell: string) => unknown> = {
  id: () => undefined,
  name: (cell) => removeFormulaPrefix(cell) || undefined,
  categoryId: (cell) => (cell.trim() === '' ? undefined : toInteger(cell.trim())),
  status: (cell) => cell.trim() || undefined,
};

/** A line with a valid animal, or with the reason why it has none. */
export type Row = { line: number; pet: NewPet } | { line: number; fault: string };

/** Checks the fields of a line with the rules of the service. */
export function toRow(line: number, fields: Fields): Row {
  const { name, categoryId, status } = fields;
  const unknown = Object.keys(fields).find((field) => !petColumns.some((column) => column === field));
  const faults = [
    unknown !== undefined && `\`${unknown.slice(0, 80)}\` is not a known field`,
    sentence('name', nameFault(name)),
    sentence('categoryId', int64Fault(categoryId)),
    sentence('status', statusFault(status)),
  ].filter((fault) => typeof fault === 'string');
  if (faults.length > 0) return { line, fault: `${faults.join('. ')}.` };
  const pet = { name, categoryId, ...(status !== undefined && { status }) };
  return { line, pet: pet as NewPet };
}

function sentence(field: PetColumn, fault: string | undefined): string | undefined {
  return fault && `\`${field}\` ${fault}`;
}

/** The rules reject NaN. An int64 has at most 19 digits. More than 40 would only cost time. */
function toInteger(cell: string): bigint | number {
  return /^-?\d{1,40}$/.test(cell) ? BigInt(cell) : Number.NaN;
}
