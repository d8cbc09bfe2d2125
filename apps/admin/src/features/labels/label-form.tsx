import { Box, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { type FilterSearch, filterText } from '../../shared/filter-search.js';
import { statusLabels } from '../../shared/format.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type AnimalChoice, animalChoices, type LabelSearch } from './label-search.js';
import { labelSizes, type LabelSize, ownSizeName, parseOwnSize, sideLimits, sizeOf } from '../../shared/label.js';
import { useScannerTab } from '../../shared/scanner-tab.js';
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
const sizes = [
  ...Object.entries(labelSizes).map(([value, { name }]) => ({ value, label: name })),
  { value: 'own', label: 'Own size on a roll' },
];

export function LabelForm(props: LabelFormProps) {
  const { animals, numbers, hasImported, results, options, onOpen, onOptions } = props;
  const { names } = useCategoryNames();
  const isOffered = { results: results !== undefined, imported: hasImported };
  const choices = animalChoices.filter((choice) => isOffered[choice as keyof typeof isOffered] ?? true);
  const labels = { ...choiceLabels, results: results ? filterText(results, names) : '' };
  return (
    <Stack className="panel" gap="lg" p="clamp(1rem, 4vw, 1.5rem)">
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
        value={parseOwnSize(options.sizeName) ? 'own' : options.sizeName}
        onChange={({ currentTarget: { value } }) => {
          const { width, height } = sizeOf(options.sizeName);
          onOptions({ ...options, sizeName: value === 'own' ? ownSizeName(width, height) : value });
        }}
      />
      {parseOwnSize(options.sizeName) && (
        <OwnSize size={sizeOf(options.sizeName)} onChange={(sizeName) => onOptions({ ...options, sizeName })} />
      )}
      {animals === 'numbers' && <NumbersField firstText={numbers} onShow={(text) => onOpen({ numbers: text })} />}
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

/** Labels that are not in the list. */
function OwnSize({ size, onChange }: { size: LabelSize; onChange: (sizeName: string) => void }) {
  const [sides, setSides] = useState({ Width: String(size.width), Height: String(size.height) });
  const change = (changed: typeof sides) => {
    setSides(changed);
    const name = ownSizeName(changed.Width.trim(), changed.Height.trim());
    if (parseOwnSize(name)) onChange(name);
  };
  const isValid = parseOwnSize(ownSizeName(sides.Width.trim(), sides.Height.trim())) !== undefined;
  return (
    <Group gap="sm" align="start">
      {(['Width', 'Height'] as const).map((side) => (
        <TextInput
          key={side}
          label={`${side} in mm`}
          inputMode="decimal"
          autoComplete="off"
          w="8rem"
          maxLength={6}
          value={sides[side]}
          onChange={({ currentTarget }) => change({ ...sides, [side]: currentTarget.value })}
        />
      ))}
      {!isValid && (
        <Box component="p" role="alert" fz="sm" c="var(--mantine-color-error)">
          {`Enter ${sideLimits.min} to ${sideLimits.max} mm, with at most one decimal.`}
        </Box>
      )}
    </Group>
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
  const submitByTab = useScannerTab(({ form }) => form?.requestSubmit());
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
    <form onSubmit={show} noValidate>
      <Stack gap="sm">
        <TextInput
          label="Animal numbers"
          description="For example 12, 15-20. You can also scan labels into this field."
          autoComplete="off"
          maxLength={4000}
          value={text}
          error={error}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={submitByTab}
        />
        <Button type="submit" variant="default" mr="auto">
          Show labels
        </Button>
      </Stack>
    </form>
  );
}
