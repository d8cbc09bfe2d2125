import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { type FilterSearch, filterText } from '../../shared/filter-search.js';
import { statusLabels } from '../../shared/format.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type AnimalChoice, animalChoices, type LabelSearch } from './label-search.js';
import { labelSizes } from '../../shared/label.js';
import classes from './labels.module.css';
import { formatRanges, parseRanges, rangeFaultText } from './number-ranges.js';

interface LabelOptions {
  sizeName: string;
  leavesOutSold: boolean;
}

interface LabelFormProps {
  animals: AnimalChoice;
  /** What the person typed. */
  numbers: string;
  /** Whether this tab has imported animals. */
  hasImported: boolean;
  /** Those of the search that the person came from. */
  results: FilterSearch | undefined;
  options: LabelOptions;
  onOpen: (search: LabelSearch) => void;
  onOptions: (options: LabelOptions) => void;
}

const choiceLabels: Record<Exclude<AnimalChoice, 'results'>, string> = {
  numbers: 'By number',
  imported: 'The last import',
  all: 'All animals',
  ...statusLabels,
  test: 'Test page',
};
const sizes = Object.entries(labelSizes).map(([value, { name }]) => ({ value, label: name }));

export function LabelForm(props: LabelFormProps) {
  const { animals, numbers, hasImported, results, options, onOpen, onOptions } = props;
  const { names } = useCategoryNames();
  const isOffered = { results: results !== undefined, imported: hasImported };
  const choices = animalChoices.filter((choice) => isOffered[choice as keyof typeof isOffered] ?? true);
  const labels = { ...choiceLabels, results: results ? filterText(results, names) : '' };
  return (
    <div className={`panel ${classes.form}`}>
      <NativeSelect
        label="Animals"
        data={choices.map((value) => ({ value, label: labels[value] }))}
        value={animals}
        onChange={({ currentTarget }) =>
          onOpen(
            results && currentTarget.value === 'results' ? results : { animals: currentTarget.value as AnimalChoice },
          )
        }
      />
      <NativeSelect
        label="Label size"
        data={sizes}
        value={options.sizeName}
        onChange={({ currentTarget }) => onOptions({ ...options, sizeName: currentTarget.value })}
      />
      {animals === 'numbers' && <NumbersField firstText={numbers} onShow={(text) => onOpen({ numbers: text })} />}
      {animals !== 'test' && (
        <Checkbox
          label="Leave out sold animals"
          checked={options.leavesOutSold}
          onChange={({ currentTarget }) => onOptions({ ...options, leavesOutSold: currentTarget.checked })}
        />
      )}
    </div>
  );
}

interface NumbersFieldProps {
  firstText: string;
  /** Receives numbers in the form of `parseRanges`. */
  onShow: (numbers: string) => void;
}

function NumbersField({ firstText, onShow }: NumbersFieldProps) {
  const [text, setText] = useState(firstText);
  const [error, setError] = useState(() => rangeFaultText(parseRanges(firstText).faults));
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    const { ranges, faults } = parseRanges(text);
    const isEmpty = ranges.length === 0 && faults.length === 0;
    setError(isEmpty ? 'Enter numbers or ranges, for example 12, 15-20.' : rangeFaultText(faults));
    if (ranges.length === 0 || faults.length > 0) return;
    const numbers = formatRanges(ranges);
    // A scanner types the next code after this one.
    setText(`${numbers}, `);
    onShow(numbers);
  };
  return (
    <form className={classes.numbers} onSubmit={show} noValidate>
      <TextInput
        label="Animal numbers"
        description="For example 12, 15-20. You can also scan labels into this field."
        autoComplete="off"
        maxLength={4000}
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Show labels
      </Button>
    </form>
  );
}
