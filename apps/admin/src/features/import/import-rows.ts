import type { InvalidLine } from '@petstore/import-export/check-file.js';
import { faultText, type FileWords } from '@petstore/import-export/faults.js';
import type { Outcome } from '@petstore/import-export/import-options.js';
import type { ColumnChoice } from '@petstore/import-export/pet-columns.js';

/** A row that the check has refused. */
export type InvalidRow = InvalidLine & { state: 'invalid' };

/** A row of the file: what the check found, or its outcome. */
export type RowResult =
  | InvalidRow
  /** The store had an animal of this name and category before the import. */
  | { line: number; state: 'existing'; name: string; petId: bigint }
  /** An earlier row of the file has the same name and category. */
  | { line: number; state: 'repeated'; name: string }
  /** The next run sends an interrupted row again. */
  | Exclude<Outcome, { state: 'interrupted' }>;

type RowState = RowResult['state'];

/** In the order of the choice of rows. */
export const rowStateLabels: Record<RowState, string> = {
  invalid: 'Refused',
  rejected: 'Refused',
  unknown: 'Not confirmed',
  existing: 'Already in the store',
  repeated: 'More than once in this file',
  created: 'Added',
  skipped: 'Left out, because it was already in the store',
};

export function count(rows: readonly RowResult[], ...states: RowState[]): number {
  return rows.filter(({ state }) => states.includes(state)).length;
}

export function countRefused(rows: readonly RowResult[]): number {
  return count(rows, 'invalid', 'rejected');
}

/** Why a row was not added, for a person. */
export function reasonOf(row: RowResult): string | undefined {
  if (row.state === 'invalid') return faultText(row.faults, words);
  if (row.state === 'rejected') return `Petstore refused this row: ${row.reason}`;
  return row.state === 'unknown' ? unknownReason : undefined;
}

const unknownReason = 'Petstore did not confirm this row. Look for the animal in the list before you add it again.';

const words: FileWords = {
  row: 'row',
  field: (field) => {
    if (field === 'id') return 'Number';
    return field === 'categoryId' ? 'Category number' : `${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  },
  // The admin reads names in any case, unlike the command.
  own: { unknownCategory: ({ value }) => `The store has no category “${value}”.` },
};

/** The positions of the cells that are wrong. */
export function wrongCells({ faults }: InvalidLine, columns: ColumnChoice): number[] {
  return faults.map(({ field }) => (field ? columns.indexOf(field) : -1)).filter((index) => index !== -1);
}
