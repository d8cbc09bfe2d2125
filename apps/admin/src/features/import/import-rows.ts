import { petLimits } from '@petstore/contracts';
import type { InvalidLine } from '@petstore/import-export/check-file.js';
import type { Fault, FaultCode } from '@petstore/import-export/faults.js';
import type { Outcome } from '@petstore/import-export/import-options.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';

/** A row of the file: what the check found, or its result. A person reads the reasons. */
export type RowResult =
  | { line: number; state: 'added'; petId: bigint }
  /** The store had an animal of this name and category before the import. */
  | { line: number; state: 'existing'; name: string; petId: bigint }
  /** An earlier row of the file has the same name and category. */
  | { line: number; state: 'repeated'; name: string }
  | { line: number; state: 'leftOut' }
  | { line: number; state: 'unknown'; reason: string }
  | RefusedRow;

export interface RefusedRow {
  line: number;
  state: 'refused';
  reason: string;
  /** The row of the file, as far as it could be read. */
  cells?: readonly string[] | undefined;
  /** The positions of the cells that are wrong. */
  wrong: readonly number[];
  /** The values that other rows may have, too. */
  values: readonly WrongValue[];
  /** Whether nothing else is wrong. */
  hasOnlyValues: boolean;
}

/** A value of a column that no animal can have, such as the name of a category that the store does not have. */
export interface WrongValue {
  field: 'categoryId' | 'status';
  value: string;
}

export const rowStateLabels: Record<RowResult['state'], string> = {
  added: 'Added',
  existing: 'Already in the store',
  repeated: 'More than once in this file',
  leftOut: 'Left out, because it was already in the store',
  refused: 'Refused',
  unknown: 'Not confirmed',
};

const unknownReason = 'Petstore did not confirm this row. Look for the animal in the list before you add it again.';

/** `undefined` for a row that the next run sends again. */
export function toRowResult(outcome: Outcome): RowResult | undefined {
  const { line, state } = outcome;
  if (state === 'created') return { line, state: 'added', petId: outcome.petId };
  if (state === 'rejected')
    return {
      line,
      state: 'refused',
      reason: `Petstore refused this row: ${outcome.reason}`,
      wrong: [],
      values: [],
      hasOnlyValues: false,
    };
  return state === 'unknown' ? { line, state, reason: unknownReason } : undefined;
}

export function refusedRow({ line, faults, cells }: InvalidLine, { columns = [] }: ReadSettings): RefusedRow {
  const wrong = faults.map(({ field }) => (field ? columns.indexOf(field) : -1)).filter((index) => index !== -1);
  const reason = faults.map((fault) => sentences[fault.code](fault)).join(' ');
  const values = faults.flatMap(({ field, value = '' }) =>
    (field === 'categoryId' || field === 'status') && value.trim() !== '' ? [{ field, value: value.trim() }] : [],
  );
  return { line, state: 'refused', reason, cells, wrong, values, hasOnlyValues: values.length === faults.length };
}

/** The name of a field for a person, such as `Status` for `status`. */
function labelOf({ field }: Fault): string {
  if (field === undefined) return 'The row';
  if (field === 'id') return 'Number';
  return field === 'categoryId' ? 'Category number' : `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

/** A number with a thousands separator looks like a fraction. */
function withoutSeparators(value = ''): string {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(value) ? ` If you mean ${value.replace(/[.,]/, '')}, write it so.` : '';
}

/** The sentence for each fault. A new code does not compile until it is here. */
const sentences: Record<FaultCode, (fault: Fault) => string> = {
  emptyFile: () => 'The file is empty.',
  jsonArray: () => 'This is not a table. Save the spreadsheet as CSV.',
  unknownColumns: ({ value }) => `The column “${value}” is not known.`,
  repeatedColumn: (fault) => `The column “${labelOf(fault)}” occurs more than once.`,
  missingColumn: (fault) => `The column “${labelOf(fault)}” is missing.`,
  longLine: () => 'The row is too long.',
  nul: (fault) => `${labelOf(fault)} has a character that cannot be stored.`,
  undecodable: () =>
    'The row has characters that cannot be read. Choose other characters, or save the spreadsheet as “CSV UTF-8”.',
  openQuote: () => 'A quotation mark at the start of a cell has no partner.',
  misplacedQuote: () => 'A quotation mark is in the wrong place.',
  cellCount: ({ value, expected }) => `The row has ${value} cells, but the table has ${expected} columns.`,
  notJson: () => 'The row cannot be read.',
  notObject: () => 'The row cannot be read.',
  unknownField: ({ value }) => `“${value}” is not known.`,
  required: (fault) => `${labelOf(fault)} is required.`,
  wrongType: (fault) => `${labelOf(fault)} cannot be ${fault.value}.`,
  empty: (fault) => `${labelOf(fault)} is required.`,
  tooLong: (fault) => `${labelOf(fault)} must have at most ${petLimits.nameMaxLength} characters.`,
  blank: (fault) => `${labelOf(fault)} must not be only spaces.`,
  unpairedSurrogate: (fault) => `${labelOf(fault)} has a character that cannot be stored.`,
  notNumber: (fault) => `${labelOf(fault)} must be a number, not “${fault.value}”.`,
  fraction: (fault) => `${labelOf(fault)} must be a whole number, not ${fault.value}.${withoutSeparators(fault.value)}`,
  numberFormat: (fault) =>
    `${labelOf(fault)} is ${fault.value}: your spreadsheet has shortened the number. Format the column as a number without decimals, check its digits, and save the file again.`,
  outOfRange: (fault) => `${labelOf(fault)} has too many digits: ${fault.value}.`,
  unknownCategory: ({ value }) => `The store has no category “${value}”.`,
  ambiguousCategory: ({ value }) => `Several categories are called “${value}”. Write the number.`,
  unknownStatus: ({ value }) => `Status must be Available, Pending or Sold, not “${value}”.`,
};
