import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { statusLabels } from '../../shared/format.js';
import { type AnimalChoice, animalChoices, type LabelSearch } from './label-search.js';
import { labelSizes } from './label-sizes.js';
import classes from './labels.module.css';
import { NumbersField } from './numbers-field.js';

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
  options: LabelOptions;
  onOpen: (search: LabelSearch) => void;
  onOptions: (options: LabelOptions) => void;
}

const choiceLabels: Record<AnimalChoice, string> = {
  numbers: 'By number',
  imported: 'The last import',
  all: 'All animals',
  ...statusLabels,
  test: 'Test page',
};
const sizes = Object.entries(labelSizes).map(([value, { name }]) => ({ value, label: name }));

export function LabelForm({ animals, numbers, hasImported, options, onOpen, onOptions }: LabelFormProps) {
  const choices = animalChoices.filter((choice) => choice !== 'imported' || hasImported);
  return (
    <div className={`panel ${classes.form}`}>
      <Group gap="md">
        <NativeSelect
          label="Animals"
          data={choices.map((value) => ({ value, label: choiceLabels[value] }))}
          value={animals}
          onChange={({ currentTarget }) => onOpen({ animals: currentTarget.value as AnimalChoice })}
        />
        <NativeSelect
          label="Label size"
          data={sizes}
          value={options.sizeName}
          onChange={({ currentTarget }) => onOptions({ ...options, sizeName: currentTarget.value })}
        />
      </Group>
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
