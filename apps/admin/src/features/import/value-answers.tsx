import { Box, Button, Group, NativeSelect, SimpleGrid, Stack, type TextInputProps } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import { statusOf } from '@petstore/import-export/status-words.js';
import { useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { categoryLabel, categoryLabels, readCategory } from '../../shared/category-input.js';
import { formatCount, headings, statusLabels } from '../../shared/format.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { answerValue, importer } from './use-import.js';
import type { CheckView } from './open-import.js';

/** One answer for all rows with the same value that no animal can have. */
export function ValueAnswers({ view: { values, moreValues, newNumbers } }: { view: CheckView }) {
  return (
    <Stack component="fieldset" gap="sm">
      <Box component="legend" mb="sm">
        What do these values mean?
      </Box>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" verticalSpacing="sm">
        {values.map((group) => {
          const { field, value, rows, by = '' } = group;
          const props = {
            value: by,
            label: `${headings[field]} ${value}, ${rows === 1 ? '1 row' : `${formatCount(rows)} rows`}`,
            maw: 'none',
            onChange: (next: string) => next !== by && answerValue(group, next),
          };
          const key = `${field} ${value}`;
          return field === 'status' ? <StatusSelect key={key} {...props} /> : <CategoryAnswer key={key} {...props} />;
        })}
      </SimpleGrid>
      {moreValues > 0 && (
        <p className="note">{`Values that are not shown: ${formatCount(moreValues)}. If they are many, look at the columns again.`}</p>
      )}
      <Group gap="0.5rem 1rem">
        {newNumbers > 0 && (
          <Button
            variant="default"
            size="compact-md"
            onClick={() => void importer().update({ settings: { knownCategories: undefined } })}
          >
            {newNumbers === 1 ? 'Use the new number' : `Use ${formatCount(newNumbers)} new numbers`}
          </Button>
        )}
        <span className="note">This device remembers your answers.</span>
      </Group>
    </Stack>
  );
}

/** A field with the value of a cell. */
interface CellFieldProps extends Pick<TextInputProps, 'label' | 'maw' | 'miw' | 'flex' | 'error' | 'autoFocus'> {
  value: string;
  onChange: (value: string) => void;
}

const statusChoices = [
  { value: '', label: 'Choose a status' },
  ...petStatuses.map((value) => ({ value, label: statusLabels[value] })),
];

/** Nothing is chosen if the cell has no status. */
export function StatusSelect({ value, onChange, ...props }: CellFieldProps) {
  return (
    <NativeSelect
      {...props}
      data={statusChoices}
      value={statusOf(value) ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The answer counts when it is certain: a choice from the list, or the end of the typing. */
function CategoryAnswer({ value, onChange, ...props }: CellFieldProps) {
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
