import {
  checkRows,
  type RefusedRow,
  type Replacement,
  type RowAnimal,
  valueKey,
} from '@petstore/import-export/check-rows.js';
import type { Fault, FaultCode } from '@petstore/import-export/faults.js';
import type { Table } from '@petstore/table/table.js';
import type { ImportSettings } from './import-storage.js';

export interface CheckedTable {
  /** In the order of the table. */
  rows: readonly (RowAnimal | RefusedRow)[];
  /** Most frequent first. */
  values: readonly ValueGroup[];
}

/** The rows with a value that no animal can have, such as a category that the store does not have. */
export interface ValueGroup extends Pick<Replacement, 'field' | 'value'> {
  rows: number;
  /** Whether it is the number of a category that the store does not have. */
  isNew: boolean;
  /** What the value means, once the person has said it. */
  by?: string | undefined;
}

export function checkTable(table: Table, settings: ImportSettings): CheckedTable {
  const { hasHeader = false } = settings;
  const found = [...checkRows(table, { ...settings, hasHeader, replacements: [] })];
  const values = groupValues(found.filter(isRefused), settings);
  // A value that the store knows by now needs no answer of an earlier file.
  const replacements = values.flatMap(({ field, value, by }) => (by === undefined ? [] : [{ field, value, by }]));
  const rows = replacements.length > 0 ? [...checkRows(table, { ...settings, hasHeader, replacements })] : found;
  return { rows, values };
}

export const isRefused = (row: RowAnimal | RefusedRow): row is RefusedRow => 'faults' in row;

/** Whether an answer about its values can make a row valid. */
export const needsAnswer = ({ faults }: RefusedRow): boolean => faults.every(isAnswerable);

/** Faults of a value that other rows may have, too. */
const answerable = new Set<FaultCode>([
  'unknownCategory',
  'ambiguousCategory',
  'numberOrName',
  'newCategory',
  'notNumber',
  'fraction',
  'numberFormat',
  'outOfRange',
  'unknownStatus',
  'boolean',
]);
/** A longer value is cut. */
const maxValueLength = 79;

function isAnswerable({ code, field, value = '' }: Fault): boolean {
  return answerable.has(code) && field !== 'name' && value.length <= maxValueLength;
}

function groupValues(rows: readonly RefusedRow[], { replacements = [] }: ImportSettings): ValueGroup[] {
  const answers = new Map(replacements.map(({ field, value, by }) => [valueKey(field, value), by]));
  const groups = new Map<string, ValueGroup>();
  for (const { code, field, value = '' } of rows.flatMap(({ faults }) => faults.filter(isAnswerable))) {
    if (field !== 'categoryId' && field !== 'status') continue;
    const key = valueKey(field, value);
    const group = groups.get(key) ?? { field, value, rows: 0, isNew: code === 'newCategory', by: answers.get(key) };
    groups.set(key, { ...group, rows: group.rows + 1 });
  }
  return [...groups.values()].toSorted((a, b) => b.rows - a.rows);
}
