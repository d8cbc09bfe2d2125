import type { Outcome } from '@petstore/import-export/import-result.js';

/** A row of the file: what the check found, or its result. A person reads the reasons. */
export type RowResult =
  | { line: number; state: 'added'; petId: bigint }
  /** The store had an animal of this name and category before the import. */
  | { line: number; state: 'existing'; name: string; petId: bigint }
  /** An earlier row of the file has the same name and category. */
  | { line: number; state: 'repeated'; name: string }
  | { line: number; state: 'leftOut' }
  | { line: number; state: 'refused' | 'unknown'; reason: string };

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
  if (state === 'rejected') return refusedRow(line, outcome.reason);
  return state === 'unknown' ? { line, state, reason: unknownReason } : undefined;
}

export function refusedRow(line: number, fault: string): RowResult {
  return { line, state: 'refused', reason: staffText(fault) };
}

const staffTerms: [RegExp, string][] = [
  [/`name`/g, 'Name'],
  [/`categoryId`/g, 'Category number'],
  [/`status`/g, 'Status'],
  [/ Unicode code points/g, ' characters'],
  [/an integer between -9223372036854775808 and 9223372036854775807/g, 'a whole number with at most 18 digits'],
];

/** Replaces terms of the API by those of the admin. */
function staffText(fault: string): string {
  return staffTerms.reduce((text, [term, replacement]) => text.replaceAll(term, replacement), fault);
}
