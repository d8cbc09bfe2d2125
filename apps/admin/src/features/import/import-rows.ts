import type { InvalidLine } from '@petstore/import-export/check-file.js';
import { faultText, type FileWords } from '@petstore/import-export/faults.js';
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
  const reason = faultText(faults, words);
  const values = faults.flatMap(({ field, value = '' }) =>
    (field === 'categoryId' || field === 'status') && value.trim() !== '' ? [{ field, value: value.trim() }] : [],
  );
  return { line, state: 'refused', reason, cells, wrong, values, hasOnlyValues: values.length === faults.length };
}

const words: FileWords = {
  row: 'row',
  field: (field) => {
    if (field === 'id') return 'Number';
    return field === 'categoryId' ? 'Category number' : `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  },
  // The admin reads names in any case, unlike the command.
  own: { unknownCategory: ({ value }) => `The store has no category “${value}”.` },
};
