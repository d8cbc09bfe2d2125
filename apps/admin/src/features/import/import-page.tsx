import { Stack, Stepper } from '@mantine/core';
import type { Category } from '@petstore/contracts';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { refreshMs } from '../../shared/api.js';
import { LoadingRows, Page } from '../../shared/page.js';
import { useLiveCategories, useScopes } from '../../shared/store-info.js';
import { CheckPage } from './check-page.js';
import { ChooseFile } from './choose-file.js';
import { importer, useImport } from './use-import.js';
import classes from './import.module.css';
import { MatchColumns } from './match-columns.js';
import type { ImportView } from './open-import.js';
import { RunPage } from './run-page.js';

export function ImportPage() {
  const scopes = useScopes();
  const categories = useLiveCategories(refreshMs);
  const isPending = scopes === undefined || (categories.isPending && categories.errorUpdateCount === 0);
  const missing = scopes && (['write', 'read'] as const).find((scope) => !scopes.includes(scope));
  return (
    <Page title="Import animals">
      {isPending && <LoadingRows count={8} />}
      {!isPending && missing && <p>{`${permissionTexts[missing]} Ask your manager.`}</p>}
      {!isPending && !missing && <ImportSteps categories={categories.data ?? []} />}
    </Page>
  );
}

const permissionTexts = {
  write: "You don't have permission to add animals.",
  read: "An import compares the animals with those of the store. You don't have permission to see them.",
};
const steps = ['Choose', 'Match', 'Check', 'Import'];
const stepNumbers = { loading: 0, choose: 0, match: 1, check: 2, paused: 3, running: 3, done: 4 };

function ImportSteps({ categories }: { categories: readonly Category[] }) {
  const { view, problem } = useImport();
  const current = stepNumbers[view.step];
  useEffect(() => void importer(), []);
  usePastedCells(view.step, categories);
  return (
    <Stack gap="lg" maw="70rem" className={classes.import}>
      <Stepper
        size="sm"
        active={current}
        maw="40rem"
        wrap={false}
        role="group"
        aria-label="Steps"
        styles={{ separator: { marginInline: '0.5rem' } }}
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
