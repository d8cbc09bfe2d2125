import type { ReadSettings, Replacement } from '@petstore/import-export/rows.js';
import { readDeviceState, writeDeviceState } from '../../shared/browser-storage.js';
import type { RefusedRow, WrongValue } from './import-rows.js';

/** The rows with the same wrong value. */
export interface ValueGroup extends WrongValue {
  rows: number;
}

type Value = Pick<Replacement, 'field' | 'value'>;

const keyOf = ({ field, value }: Value) => `${field} ${value.trim().toLowerCase()}`;

export function sameValue(one: Value, other: Value): boolean {
  return keyOf(one) === keyOf(other);
}

/** The most frequent ones first. */
export function groupValues(faults: readonly RefusedRow[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const wrong of faults.flatMap(({ values }) => values)) {
    const group = groups.get(keyOf(wrong)) ?? { ...wrong, rows: 0 };
    group.rows += 1;
    groups.set(keyOf(wrong), group);
  }
  return [...groups.values()].toSorted((a, b) => b.rows - a.rows);
}

const storageName = 'petstore.import-values';

/** The next file of this device has the same meaning of the value. */
export function rememberMeaning(wrong: WrongValue, by: string): void {
  const { [keyOf(wrong)]: _, ...others } = readDeviceState(storageName);
  writeDeviceState(storageName, by === '' ? others : { ...others, [keyOf(wrong)]: by });
}

/** What this device knows of the values of a file. A category that the store no longer has is not known. */
export function rememberedFor(groups: readonly ValueGroup[], { categories }: ReadSettings): Replacement[] {
  const known = readDeviceState(storageName);
  return groups.flatMap(({ field, value }) => {
    const by = known[keyOf({ field, value })];
    const isGone = field === 'categoryId' && categories && !categories.some(({ id }) => id === by);
    return typeof by === 'string' && !isGone ? [{ field, value, by }] : [];
  });
}
