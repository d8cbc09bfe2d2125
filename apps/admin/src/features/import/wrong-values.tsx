import { NativeSelect, Stack, type TextInputProps } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import { useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { categoryLabel, categoryLabels, readCategory } from '../../shared/category-input.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './import.module.css';
import type { CheckedState } from './import-state.js';
import { replaceValue } from './prepare-import.js';
import { sameValue, type ValueGroup } from './value-groups.js';

/** One answer for all rows with the same wrong value. */
export function WrongValues({ checked }: { checked: CheckedState }) {
  const { values, file } = checked;
  if (values.length === 0) return null;
  return (
    <Stack component="fieldset" gap="sm" w="100%" className={classes.values}>
      <legend>What do these values mean?</legend>
      {values.map((group) => {
        const by = file.settings.replacements?.find((replacement) => sameValue(replacement, group))?.by ?? '';
        const props = {
          value: by,
          label: labelOf(group),
          labelProps: { mb: 0, fw: 550 },
          maw: 'none',
          onChange: (next: string) => void replaceValue(checked, group, next),
        };
        const key = `${group.field} ${group.value}`;
        return group.field === 'status' ? (
          <StatusSelect key={key} {...props} />
        ) : (
          <CategoryMeaning key={key} {...props} />
        );
      })}
      <p className="note">This device remembers your answers. Rows with a value without an answer are not imported.</p>
    </Stack>
  );
}

/** "Kaninchen, 46 rows" */
function labelOf({ value, rows }: ValueGroup): string {
  return `${value}, ${rows === 1 ? '1 row' : `${formatCount(rows)} rows`}`;
}

/** A field with the value of a cell. */
export interface CellFieldProps extends Pick<TextInputProps, 'label' | 'labelProps' | 'maw' | 'error' | 'autoFocus'> {
  value: string;
  onChange: (value: string) => void;
}

const statusChoices = [
  { value: '', label: 'Choose a status' },
  ...petStatuses.map((value) => ({ value, label: statusLabels[value] })),
];

/** Nothing is chosen if the cell has no status. */
export function StatusSelect({ value, onChange, ...props }: CellFieldProps) {
  const choice = statusChoices.find((status) => status.value === value.trim().toLowerCase());
  return (
    <NativeSelect
      {...props}
      data={statusChoices}
      value={choice?.value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The answer counts when it is certain: a choice from the list, or the end of the typing. */
function CategoryMeaning({ value, onChange, ...props }: CellFieldProps) {
  const { names } = useCategoryNames();
  const [text, setText] = useState(value === '' ? '' : categoryLabel(BigInt(value), names));
  const answer = (typed: string) => {
    const id = readCategory(typed, names);
    if (id !== undefined || typed.trim() === '') onChange(id === undefined ? '' : String(id));
  };
  return (
    <CategoryField
      {...props}
      description=""
      placeholder="Choose a category"
      value={text}
      onChange={(typed) => {
        setText(typed);
        if ([...categoryLabels(names).values()].includes(typed)) answer(typed);
      }}
      onBlur={({ currentTarget }) => answer(currentTarget.value)}
    />
  );
}
