import { Alert, Button, Checkbox, Group, SegmentedControl } from '@mantine/core';
import { useEffect } from 'react';
import { categoryName } from '../../shared/filter-search.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { ActionBar } from '../../shared/page.js';
import { useCategoryNames } from '../../shared/store-info.js';
import type { CheckView } from './open-import.js';
import { RowTable } from './row-table.js';
import { isImportError, Problem, StepPanel } from './step-panel.js';
import { compareAnimals, importer, runImport } from './use-import.js';
import { ValueAnswers } from './value-answers.js';

const labels = { ready: 'Ready', answer: 'Needs an answer', refused: 'Refused', existing: 'Already in the store' };
const changeColumns = { label: 'Change columns', go: () => void importer().update({ step: 'match' }) };

interface CheckPageProps {
  view: CheckView;
  /** Why the rows could not be compared with the store. */
  problem: unknown;
}

/** Nothing was sent yet. */
export function CheckPage({ view, problem }: CheckPageProps) {
  const { isCompared, version, file } = view;
  // A correction changes the animals.
  useEffect(() => {
    if (!isCompared) void compareAnimals();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Each version has other animals.
  }, [version, isCompared]);
  return (
    <StepPanel
      title={`Check the rows of ${file.name}`}
      back={changeColumns}
      bar={<ImportBar view={view} problem={problem} />}
    >
      <Problem problem={problem} onRetry={() => void compareAnimals()}>
        The rows could not be compared with the store. Some of these animals may already be in it.
      </Problem>
      <ExistingChoice view={view} />
      <RowTable view={view} labels={labels} answers={view.values.length > 0 && <ValueAnswers view={view} />} />
    </StepPanel>
  );
}

const existingChoices = [
  { value: 'leaveOut', label: 'Leave out' },
  { value: 'add', label: 'Add again' },
];

/** Nothing is chosen for the person: an import cannot be undone, and a part of a delivery must not be lost. */
function ExistingChoice({ view: { counts, repeated, file } }: { view: CheckView }) {
  const { existing } = counts;
  return (
    <>
      {existing > 0 && (
        <Alert
          color="yellow"
          title={`${formatAnimals(existing)} ${existing === 1 ? 'is' : 'are'} already in the store`}
        >
          {file.wasInterrupted ? (
            <p>They are left out, because an earlier import of this file was interrupted and may have added them.</p>
          ) : (
            <Group gap="0.5rem 1rem" component="fieldset">
              <span>The store has animals with the same name and category.</span>
              <SegmentedControl
                aria-label="Animals that are already in the store"
                data={existingChoices}
                value={file.existing ?? ''}
                onChange={(value) => void importer().update({ existing: value === 'add' ? 'add' : 'leaveOut' })}
              />
            </Group>
          )}
        </Alert>
      )}
      {repeated > 0 && (
        <Checkbox
          label={`Leave out the ${repeated === 1 ? 'row that repeats' : `${formatCount(repeated)} rows that repeat`} an earlier row of this file`}
          checked={file.leavesOutRepeated}
          onChange={({ currentTarget }) => void importer().update({ leavesOutRepeated: currentTarget.checked })}
        />
      )}
    </>
  );
}

function ImportBar({ view, problem }: CheckPageProps) {
  const { total, statuses } = view.summary;
  const missing = missingFor(view, problem);
  const ofThem = statuses.map(
    ([status, count]) => `${formatCount(count)} of them ${statusLabels[status].toLowerCase()}`,
  );
  const note = [ofThem.join(', '), missing ?? 'You cannot remove animals after the import.'].filter(Boolean).join('. ');
  return (
    <ActionBar title={<SummaryText summary={view.summary} />} note={note}>
      <Button aria-disabled={missing !== undefined} onClick={() => missing === undefined && void runImport()}>
        {missing === undefined ? `Import ${formatAnimals(total)}` : 'Import animals'}
      </Button>
    </ActionBar>
  );
}

/** Why the import cannot start. */
function missingFor({ isCompared, isStarting, comparedCount, counts, file, summary }: CheckView, problem: unknown) {
  if (problem !== undefined && !isImportError(problem)) return 'The rows must be compared with the store first.';
  if (isStarting) return `Comparing once more: ${formatAnimals(comparedCount)} so far…`;
  if (!isCompared && comparedCount === 0) return 'Comparing with the store…';
  if (!isCompared) return `Comparing with the store: ${formatAnimals(comparedCount)} so far…`;
  const { existing, answer } = counts;
  if (existing > 0 && !file.wasInterrupted && file.existing === undefined)
    return `Choose what happens with the ${existing === 1 ? 'animal' : formatAnimals(existing)} in the store.`;
  if (summary.total > 0) return undefined;
  return answer > 0 ? 'Choose what the values mean.' : 'No row is ready.';
}

/** "190 animals (Rabbits: 120, Cats: 70)". The names are plural: "1 Cats" is no English. */
function SummaryText({ summary: { total, categories, moreCategories } }: Pick<CheckView, 'summary'>) {
  const { names } = useCategoryNames();
  const parts = categories.map(([id, count]) => `${categoryName(id, names)}: ${formatCount(count)}`);
  if (moreCategories > 0) {
    parts.push(moreCategories === 1 ? '1 more category' : `${formatCount(moreCategories)} more categories`);
  }
  return total === 0 ? 'No animals to import' : `${formatAnimals(total)} (${parts.join(', ')})`;
}
