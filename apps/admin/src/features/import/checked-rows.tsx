import { Alert, Button, Group, Stack } from '@mantine/core';
import { defaultPetStatus } from '@petstore/contracts';
import type { FileAnimal, Repeats } from '@petstore/import-export/find-repeats.js';
import { useState } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import type { ImportFile } from './import-database.js';
import type { RowResult } from './import-rows.js';
import type { CheckedState } from './import-state.js';
import { checkRows, matchColumns, startOver } from './prepare-import.js';
import { RowResults } from './row-results.js';
import { startImport } from './run-import.js';
import { StepPanel } from './step-panel.js';
import { wrongValues } from './value-groups.js';
import { WrongValues } from './wrong-values.js';

export function CheckingRows() {
  return (
    <StepPanel title="Checking the rows">
      <p>Every row is checked and compared with the animals of the same categories in the store.</p>
      <Button variant="subtle" onClick={startOver}>
        Start over
      </Button>
    </StepPanel>
  );
}

/** Nothing was sent yet. */
export function CheckedRows(checked: CheckedState) {
  const { animals, invalid, repeats } = checked;
  if (animals.length === 0 && invalid.length === 0) return <NoRows />;
  const { existing, repeated } = repeats instanceof Error ? noRepeats : repeats;
  const ready = animals.length - existing.length;
  const hasNoNew = ready === 0 && invalid.length === 0;
  // The others have one answer for all of them.
  const single = invalid.filter((row) => wrongValues(row).length < row.faults.length);
  const rows: RowResult[] = [
    ...single,
    ...existing.map((animal) => ({ ...animal, state: 'existing' as const })),
    ...repeated.map((animal) => ({ ...animal, state: 'repeated' as const })),
  ];
  return (
    <StepPanel title={hasNoNew ? 'No new animals in this file' : `${formatAnimals(ready)} ready to import`}>
      {repeats instanceof Error ? <NotCompared error={repeats} file={checked.file} /> : <Found {...repeats} />}
      <WrongValues checked={checked} />
      {invalid.length > 0 && (
        <p>
          {`${invalid.length === 1 ? '1 row has an error' : `${formatCount(invalid.length)} rows have errors`} and will not be imported. Correct them here, or after the import.`}
        </p>
      )}
      <StartForm checked={checked} existing={existing.map(({ line }) => line)} />
      {rows.length > 0 && (
        <RowResults file={checked.file} rows={rows.toSorted((a, b) => a.line - b.line)} checked={checked} />
      )}
    </StepPanel>
  );
}

const noRepeats: Repeats = { existing: [], repeated: [] };

function NoRows() {
  return (
    <StepPanel title="No rows to import">
      <p>
        The file has the names of the columns, and no animals below them. Add a row per animal, and choose it again.
      </p>
      <Button onClick={startOver}>Choose another file</Button>
    </StepPanel>
  );
}

/** What the comparison with the store has found. */
function Found({ existing, repeated }: Repeats) {
  return (
    <>
      {existing.length > 0 && (
        <Alert color="yellow" title={`${formatAnimals(existing.length)} already in the store`}>
          {`The store has ${existing.length === 1 ? 'an animal' : 'animals'} with the same name and category.`}
        </Alert>
      )}
      {repeated.length > 0 && (
        <p>
          {`${formatCount(repeated.length)} ${repeated.length === 1 ? 'row repeats' : 'rows repeat'} the name and category of an earlier row in this file. Each one becomes an animal.`}
        </p>
      )}
    </>
  );
}

function NotCompared({ error, file }: { error: Error; file: ImportFile }) {
  return (
    <ErrorNotice error={error} onRetry={() => void checkRows(file)}>
      <p>The rows could not be compared with the store. Some of these animals may already be in it.</p>
    </ErrorNotice>
  );
}

interface StartFormProps {
  checked: CheckedState;
  /** The rows whose animals are already in the store. */
  existing: readonly number[];
}

/** Nothing is chosen for the person: an import cannot be undone, and a part of a delivery must not be lost. */
function StartForm({ checked: { file, animals, repeats, isChecking }, existing }: StartFormProps) {
  const { names } = useCategoryNames();
  const [choice, setChoice] = useState<string>();
  const all = animals.length;
  const total = choice === 'all' || existing.length === 0 ? all : all - existing.length;
  const isReady = !isChecking && (existing.length === 0 || choice !== undefined);
  const leftOut = choice === 'new' ? existing : [];
  return (
    <>
      {existing.length > 0 && <ExistingChoice {...{ all, existing: existing.length, choice }} onChange={setChoice} />}
      {total > 0 && (
        <>
          <p>
            <b>{summaryOf(animals, choice === 'all' ? [] : existing, names)}</b>
          </p>
          <p>{`You cannot remove animals after the import. Check that this is the right file: ${file.name}`}</p>
        </>
      )}
      <Group>
        {all > 0 && (
          <Button
            aria-disabled={!isReady || total === 0}
            onClick={() => isReady && total > 0 && void startImport(file, { leftOut, total })}
          >
            {isChecking
              ? 'Checking…'
              : `Import ${isReady ? formatAnimals(total) : 'animals'}${repeats instanceof Error ? ' without comparing' : ''}`}
          </Button>
        )}
        <Button variant="default" onClick={() => matchColumns(file)}>
          Change columns
        </Button>
        <Button variant="subtle" onClick={startOver}>
          Start over
        </Button>
      </Group>
    </>
  );
}

/** "45 Rabbits, 40 Cats, 12 sold": the categories, most animals first, and how many are not available. */
function summaryOf(animals: readonly FileAnimal[], leftOut: readonly number[], names: CategoryNames): string {
  const lines = new Set(leftOut);
  const counts = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { line, categoryId, status = defaultPetStatus } of animals) {
    if (lines.has(line)) continue;
    const category = names.get(categoryId) ?? `of category ${categoryId}`;
    counts.set(category, (counts.get(category) ?? 0) + 1);
    const label = statusLabels[status].toLowerCase();
    if (status !== defaultPetStatus) others.set(label, (others.get(label) ?? 0) + 1);
  }
  const categories = [...counts].toSorted(([, a], [, b]) => b - a);
  const more = categories.length - shownCategories;
  const parts = [...categories.slice(0, shownCategories), ...others].map(
    ([name, count]) => `${formatCount(count)} ${name}`,
  );
  return `${parts.join(', ')}${more > 0 ? `, and ${formatCount(more)} more categories` : ''}`;
}

const shownCategories = 12;

interface ExistingChoiceProps {
  /** The number of animals in the file. */
  all: number;
  /** The number of those that the store has. */
  existing: number;
  choice: string | undefined;
  onChange: (choice: string) => void;
}

function ExistingChoice({ all, existing, choice, onChange }: ExistingChoiceProps) {
  const onlyNew = { value: 'new', label: `Only the ${formatAnimals(all - existing)} not in the store yet` };
  const again = existing === 1 ? 'the one in the store is' : 'those in the store are';
  const everything = { value: 'all', label: `All ${formatAnimals(all)}: ${again} added once more` };
  const choices =
    all > existing ? [onlyNew, everything] : [{ ...everything, label: `Add ${formatAnimals(all)} once more` }];
  return (
    <Stack component="fieldset" gap="xs">
      <legend>What do you want to import?</legend>
      {choices.map(({ value, label }) => (
        <label key={value} className="check">
          <input type="radio" name="existing" checked={choice === value} onChange={() => onChange(value)} />
          {label}
        </label>
      ))}
    </Stack>
  );
}
