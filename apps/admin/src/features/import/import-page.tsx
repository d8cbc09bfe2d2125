import { Stack, Stepper } from '@mantine/core';
import type { Category } from '@petstore/contracts';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { refreshMs } from '../../shared/api.js';
import { NoPermission } from '../../shared/links.js';
import { LoadingRows, Page } from '../../shared/page.js';
import { useKeyInfo, useLiveCategories } from '../../shared/store-info.js';
import { CheckPage } from './check-page.js';
import { ChooseFile } from './choose-file.js';
import classes from './import.module.css';
import { MatchColumns } from './match-columns.js';
import type { ImportView } from './open-import.js';
import { RunPage } from './run-page.js';
import { importer, useImport } from './use-import.js';

export function ImportPage() {
  const info = useKeyInfo();
  const scopes = info && info.scopes;
  const categories = useLiveCategories(refreshMs);
  const isPending = scopes === undefined || (categories.isPending && categories.errorUpdateCount === 0);
  const missing = scopes && (['write', 'read'] as const).find((scope) => !scopes.includes(scope));
  return (
    <Page title="Import animals">
      {isPending && <LoadingRows count={8} />}
      {!isPending && missing && (
        <NoPermission action={missing === 'write' ? 'add animals' : 'see animals'}>
          {missing === 'read' ? 'An import compares the animals with those of the store.' : ''}
        </NoPermission>
      )}
      {!isPending && !missing && <ImportSteps categories={categories.data ?? []} />}
    </Page>
  );
}

const steps = ['Choose', 'Match', 'Check', 'Import'];
const stepNumbers = { loading: 0, choose: 0, match: 1, check: 2, paused: 3, running: 3, done: 4 };

function ImportSteps({ categories }: { categories: readonly Category[] }) {
  const { view, problem } = useImport();
  const current = stepNumbers[view.step];
  useEffect(() => void importer(), []);
  usePastedCells(view.step, categories);
  return (
    <Stack gap="lg" maw="64rem">
      <Stepper
        size="sm"
        iconSize={32}
        active={current}
        wrap={false}
        role="group"
        aria-label="Steps"
        className={classes.steps}
        onStepClick={(index) => void (index === 0 ? importer().close() : importer().update({ step: 'match' }))}
      >
        {steps.map((label, index) => (
          <Stepper.Step
            key={label}
            label={label}
            aria-current={index === current ? 'step' : undefined}
            disabled={index >= current || current >= 3}
          />
        ))}
      </Stepper>
      {'isStored' in view && !view.isStored && (
        <p role="note" className="note">
          This browser cannot keep the import. If you reload or close the page, choose the file again.
        </p>
      )}
      {view.step === 'loading' && <LoadingRows count={8} />}
      {view.step === 'choose' && <ChooseFile view={view} categories={categories} />}
      {view.step === 'match' && <MatchColumns view={view} categories={categories} />}
      {view.step === 'check' && <CheckPage view={view} problem={problem} />}
      {(view.step === 'paused' || view.step === 'running' || view.step === 'done') && (
        <RunPage view={view} problem={problem} />
      )}
    </Stack>
  );
}

/** Opens the cells that the person has pasted into the form, unless an import has begun. */
function usePastedCells(step: ImportView['step'], categories: readonly Category[]): void {
  const navigate = useNavigate();
  const cells = useLocation({ select: ({ state }) => state.cells });
  const canOpen = ['choose', 'match', 'check'].includes(step);
  const open = useEffectEvent((text: string) => {
    // Not again after a reload.
    void navigate({ to: '/import', replace: true, state: {} });
    void importer().choose('Pasted rows', new Blob([text]), true, categories);
  });
  useEffect(() => {
    if (cells !== undefined && canOpen) open(cells);
  }, [cells, canOpen]);
}
