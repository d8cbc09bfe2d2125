import type { InvalidLine } from '@petstore/import-export/check-file.js';
import type { ReadSettings, Replacement } from '@petstore/import-export/rows.js';
import { readDeviceState, writeDeviceState } from '../../shared/browser-storage.js';

/** A value of a column that no animal can have, such as the name of a category that the store does not have. */
export interface WrongValue {
  field: 'categoryId' | 'status';
  value: string;
}

/** The values that other rows may have, too. */
export function wrongValues({ faults }: InvalidLine): WrongValue[] {
  return faults.flatMap(({ field, value = '' }) =>
    (field === 'categoryId' || field === 'status') && value.trim() !== '' ? [{ field, value: value.trim() }] : [],
  );
}

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
export function groupValues(invalid: readonly InvalidLine[]): ValueGroup[] {
  const groups = new Map<string, ValueGroup>();
  for (const wrong of invalid.flatMap(wrongValues)) {
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
