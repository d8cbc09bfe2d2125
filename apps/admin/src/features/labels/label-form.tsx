import { Button, Checkbox, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { filterText } from '../../shared/filter-search.js';
import { statusLabels } from '../../shared/format.js';
import { labelSizes, type LabelSize, ownSizeName, parseOwnSize, sideLimits, sizeOf } from '../../shared/label.js';
import { submitByTab } from '../../shared/scanner.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type AnimalChoice, animalChoices, type LabelSearch, parseNumbers } from './label-search.js';

interface LabelOptions {
  sizeName: string;
  leavesOutSold: boolean;
}

interface LabelFormProps {
  animals: AnimalChoice;
  imported: string;
  search: LabelSearch;
  /** What the person came with. */
  first: LabelSearch;
  options: LabelOptions;
  onOpen: (search: LabelSearch) => void;
  onOptions: (options: LabelOptions) => void;
}

const choiceLabels: Record<AnimalChoice, string> = {
  results: '',
  numbers: 'By number',
  imported: 'The last import',
  all: 'All animals',
  ...statusLabels,
  test: 'Test page',
};

export function LabelForm({ animals, imported, search, first, options, onOpen, onOptions }: LabelFormProps) {
  const { names } = useCategoryNames();
  const results = filterText(first, names);
  const labels = { ...choiceLabels, results, imported: imported && choiceLabels.imported };
  const choices = animalChoices.map((value) => ({ value, label: labels[value] })).filter(({ label }) => label !== '');
  return (
    <Stack className="panel" gap="lg">
      <NativeSelect
        label="Animals"
        data={choices}
        value={animals}
        onChange={({ currentTarget: { value } }) =>
          onOpen(value === 'results' ? first : { animals: value as AnimalChoice })
        }
      />
      {animals === 'numbers' && <NumbersField firstText={search.numbers} onShow={(numbers) => onOpen({ numbers })} />}
      <SizeFields size={options.sizeName} onChange={(sizeName) => onOptions({ ...options, sizeName })} />
      {animals !== 'test' && (
        <Checkbox
          label="Leave out sold animals"
          checked={options.leavesOutSold}
          onChange={({ currentTarget }) => onOptions({ ...options, leavesOutSold: currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

interface NumbersFieldProps {
  firstText: string | undefined;
  /** Receives numbers in the form of `parseNumbers`. */
  onShow: (numbers: string) => void;
}

const example = 'Enter numbers or ranges, for example 12, 15-20.';

function NumbersField({ firstText = '', onShow }: NumbersFieldProps) {
  const [text, setText] = useState(firstText);
  const [wrong, setWrong] = useState(() => parseNumbers(firstText).wrong);
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    const list = parseNumbers(text);
    setWrong(list.text === '' ? [text.trim() || 'nothing'] : list.wrong);
    // No labels of an earlier text next to the error.
    if (list.text === '' || list.wrong.length > 0) return onShow('');
    // A scanner types the next code after this one.
    setText(`${list.text}, `);
    onShow(list.text);
  };
  return (
    <Stack component="form" gap="sm" onSubmit={show}>
      <TextInput
        label="Animal numbers"
        description="For example 12, 15-20. You can also scan labels into this field."
        autoComplete="off"
        maxLength={4000}
        value={text}
        error={wrong.length > 0 && `${example} This is neither: ${wrong.join(', ').slice(0, 80)}.`}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={submitByTab}
      />
      <Button type="submit" variant="default" mr="auto">
        Show labels
      </Button>
    </Stack>
  );
}

const sizes = [
  ...Object.entries(labelSizes).map(([value, { name }]) => ({ value, label: name })),
  { value: 'own', label: 'Own size on a roll' },
];

interface SizeProps<Size> {
  size: Size;
  onChange: (sizeName: string) => void;
}

function SizeFields({ size, onChange }: SizeProps<string>) {
  const { width, height } = sizeOf(size);
  const ownSize = parseOwnSize(size);
  return (
    <>
      <NativeSelect
        label="Label size"
        data={sizes}
        value={ownSize ? 'own' : size}
        onChange={({ currentTarget: { value } }) => onChange(value === 'own' ? ownSizeName(width, height) : value)}
      />
      {ownSize && <OwnSize size={ownSize} onChange={onChange} />}
    </>
  );
}

function OwnSize({ size, onChange }: SizeProps<LabelSize>) {
  const [sides, setSides] = useState({ Width: String(size.width), Height: String(size.height) });
  const nameOf = ({ Width, Height }: typeof sides) => ownSizeName(Width.trim(), Height.trim());
  const change = (changed: typeof sides) => {
    setSides(changed);
    if (parseOwnSize(nameOf(changed))) onChange(nameOf(changed));
  };
  return (
    <div>
      <Group gap="sm" grow>
        {(['Width', 'Height'] as const).map((side) => (
          <TextInput
            key={side}
            label={`${side} in mm`}
            inputMode="decimal"
            autoComplete="off"
            maxLength={6}
            value={sides[side]}
            onChange={({ currentTarget }) => change({ ...sides, [side]: currentTarget.value })}
          />
        ))}
      </Group>
      {!parseOwnSize(nameOf(sides)) && (
        <Input.Error role="alert" mt="xs">
          {`Enter ${sideLimits.min} to ${sideLimits.max} mm, with at most one decimal.`}
        </Input.Error>
      )}
    </div>
  );
}
