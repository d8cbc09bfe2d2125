import { Group } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { LoadingRows, Page } from '../../shared/page.js';
import { useCanAdd } from '../../shared/store-info.js';
import { CheckedRows, CheckingRows } from './checked-rows.js';
import { ChooseFile } from './choose-file.js';
import { type ImportState, showStoredImport, useImportState } from './import-state.js';
import classes from './import.module.css';
import { MatchColumns } from './match-columns.js';
import { chooseFile, startOver } from './prepare-import.js';
import { RunningImport, ContinueImport } from './running-import.js';

export function ImportPage() {
  const canAdd = useCanAdd();
  return (
    <Page title="Import animals">
      {canAdd === undefined && <LoadingRows count={6} />}
      {canAdd === false && <p>{"You don't have permission to add animals. Ask your manager."}</p>}
      {canAdd && <ImportSteps />}
    </Page>
  );
}

const steps = ['Choose', 'Match', 'Check', 'Import'];
const stepNumbers = {
  loading: 0,
  choose: 1,
  match: 2,
  checking: 3,
  checked: 3,
  stored: 4,
  running: 4,
  paused: 4,
  done: 4,
};

function ImportSteps() {
  const state = useImportState();
  const current = stepNumbers[state.step];
  return (
    <>
      <Group
        component="ol"
        gap="0.25rem 1.5rem"
        mb="md"
        fz="sm"
        c="dimmed"
        className={classes.steps}
        aria-label="Steps"
      >
        {steps.map((name, index) => (
          <li
            key={name}
            aria-current={index + 1 === current ? 'step' : undefined}
            data-done={index + 1 < current || undefined}
          >
            {name}
          </li>
        ))}
      </Group>
      <ImportStep state={state} />
    </>
  );
}

/** Opens the cells that the person has pasted into the form, unless an import has begun. */
function usePastedCells(step: ImportState['step']): void {
  const navigate = useNavigate();
  const cells = useLocation({ select: ({ state }) => state.cells });
  const canOpen = ['choose', 'match', 'checking', 'checked'].includes(step);
  const open = useEffectEvent((text: string) => {
    // Not again after a reload.
    void navigate({ to: '/import', replace: true, state: {} });
    startOver();
    void chooseFile('Pasted rows', new Blob([text]), true);
  });
  useEffect(() => {
    if (cells !== undefined && canOpen) open(cells);
  }, [cells, canOpen]);
}

function ImportStep({ state }: { state: ImportState }) {
  useEffect(() => {
    if (state.step === 'loading') void showStoredImport();
  }, [state.step]);
  usePastedCells(state.step);
  switch (state.step) {
    case 'choose':
      return <ChooseFile error={state.error} />;
    case 'match':
      return <MatchColumns file={state.file} />;
    case 'checked':
      return <CheckedRows {...state} />;
    case 'stored':
      return <ContinueImport {...state} />;
    case 'running':
    case 'paused':
    case 'done':
      return <RunningImport run={state} />;
    case 'checking':
      return <CheckingRows />;
    case 'loading':
  }
  return <LoadingRows count={6} />;
}
