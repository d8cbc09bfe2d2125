import { Combobox, type TextInputProps, useCombobox } from '@mantine/core';
import { useEffect } from 'react';
import { CellInput } from './cell-input.js';
import { categoryLabel, categoryLabels, readCategory, sortByMatch } from './category-input.js';
import { useCategoryNames } from './store-info.js';

interface CategoryFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onChange: (text: string) => void;
}

/** Accepts a number, and also a name if the store has category names. A list below the field shows the matching names. */
export function CategoryField({ value, onChange, onBlur, ...others }: CategoryFieldProps) {
  const { names } = useCategoryNames();
  const props = { autoComplete: 'off', maw: '24rem', ...others };
  const meant = readCategory(value, names);
  // Replaces the text with the label of the category that it names.
  const showLabel: TextInputProps['onBlur'] = (event) => {
    if (meant !== undefined) onChange(categoryLabel(meant, names));
    onBlur?.(event);
  };
  if (names.size > 0) {
    const labels = categoryLabels(names);
    const choice = { labels: [...labels.values()], meant: meant === undefined ? undefined : labels.get(meant) };
    return <CategoryCombobox {...choice} value={value} onChange={onChange} onBlur={showLabel} {...props} />;
  }
  return (
    <CellInput
      label="Category number"
      inputMode="numeric"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={showLabel}
      {...props}
    />
  );
}

interface CategoryComboboxProps extends CategoryFieldProps {
  labels: readonly string[];
  /** The only category that the text can mean. */
  meant: string | undefined;
}

function CategoryCombobox({ labels, meant, value, onChange, onBlur, ...props }: CategoryComboboxProps) {
  const combobox = useCombobox();
  // All of them if the field has one already: the person looks for another one.
  const shown = labels.includes(value) ? labels : sortByMatch(labels, value, (label) => label);
  // Enter takes the selected option, wherever it is in the list.
  const position = meant === undefined ? -1 : shown.indexOf(meant);
  useEffect(() => {
    if (position === -1) combobox.resetSelectedOption();
    else combobox.selectOption(position);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only a change of the text selects.
  }, [value, position]);
  const choose = (label: string) => {
    onChange(label);
    combobox.closeDropdown();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false} position="bottom-start">
      <Combobox.Target withExpandedAttribute>
        <CellInput
          label="Category"
          description="Type a name or a number."
          rightSection={<Combobox.Chevron style={{ width: '1.125rem' }} />}
          rightSectionPointerEvents="none"
          value={value}
          title={value}
          {...props}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            // With the whole name, Enter adds the animal.
            if (labels.some((label) => label.toLowerCase() === currentTarget.value.trim().toLowerCase()))
              combobox.closeDropdown();
            else combobox.openDropdown();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={(event) => {
            combobox.closeDropdown();
            onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={shown.length === 0}>
        <Combobox.Options aria-label="Categories" mah="14rem" style={{ overflowY: 'auto' }}>
          {shown.map((label) => (
            <Combobox.Option key={label} value={label}>
              <bdi>{label}</bdi>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
