import { Alert, Button, Group } from '@mantine/core';
import { rememberImportedPets } from '../../shared/browser-storage.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useEffect } from 'react';
import { LoadingRows } from '../../shared/page.js';
import { formatAnimals, formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import type { StoredImport } from './import-database.js';
import { count, countRefused, type RowResult } from './import-rows.js';
import { discardImport, removeImport, type RunState } from './import-state.js';
import { correctRefused } from './prepare-import.js';
import { RowResults } from './row-results.js';
import { continueImport, pauseImport } from './run-import.js';
import { StepPanel } from './step-panel.js';

const titles = { running: 'Importing', paused: 'Import paused', done: 'Import finished' };

const waiting = "Petstore doesn't answer. The import continues when it does.";

export function RunningImport({ run }: { run: RunState }) {
  const { step, file, rows } = run;
  return (
    <StepPanel key={step} title={titles[step]}>
      <ImportProgressBar run={run} />
      {step === 'running' && <p>Keep this tab open. You can use the other pages of Petstore meanwhile.</p>}
      <RunError error={run.error} />
      <Group>
        <RunButtons run={run} />
      </Group>
      {step !== 'running' && rows.length > 0 && <RowResults file={file} rows={rows} />}
    </StepPanel>
  );
}

function ImportProgressBar({ run: { step, rows, valid, rate, isWaiting } }: { run: RunState }) {
  const [added, unknown, leftOut] = [count(rows, 'created'), count(rows, 'unknown'), count(rows, 'skipped')];
  const total = (valid ?? 0) + count(rows, 'invalid');
  const remaining = Math.max(0, total - rows.length);
  return (
    <>
      <progress aria-label="Rows done" value={rows.length} max={Math.max(total, 1)} />
      <p>
        {[
          `${formatCount(added)} added, ${formatCount(countRefused(rows))} refused`,
          leftOut > 0 && `${formatCount(leftOut)} left out`,
          unknown > 0 && `${formatCount(unknown)} not confirmed`,
          remaining > 0 && `${formatCount(remaining)} remaining`,
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {step === 'running' && isWaiting && <Alert color="yellow">{waiting}</Alert>}
      {step === 'running' && !isWaiting && rate >= 1 && (
        <p className="note">
          {`${formatCount(Math.round(rate))} animals per second, ${timeLeft(remaining / rate)} left`}
        </p>
      )}
    </>
  );
}

function RunError({ error }: { error: unknown }) {
  if (error === undefined) return null;
  // An error of the worker keeps its name, and not its class.
  if (error instanceof Error && error.name === 'ImportError') return <Alert color="red">{error.message}</Alert>;
  return (
    <ErrorNotice error={error} action="add animals">
      <p>The import has stopped. Nothing is lost, and no animal is added twice when you continue.</p>
    </ErrorNotice>
  );
}

function RunButtons({ run }: { run: RunState }) {
  const { step, file, rows, isPausing } = run;
  if (step === 'running') {
    return (
      <Button variant="default" aria-disabled={isPausing} onClick={() => void pauseImport()}>
        {isPausing ? 'Pausing…' : 'Pause'}
      </Button>
    );
  }
  return (
    <>
      {step === 'paused' && <Button onClick={() => void continueImport(file)}>Continue import</Button>}
      {step === 'done' && <CorrectRefused run={run} />}
      <PrintLabels rows={rows} />
      {step === 'done' ? (
        <Button variant="subtle" onClick={() => void removeImport()}>
          Import another file
        </Button>
      ) : (
        <Button variant="subtle" onClick={() => void discardImport()}>
          Discard import
        </Button>
      )}
    </>
  );
}

function CorrectRefused({ run }: { run: RunState }) {
  const refused = countRefused(run.rows);
  if (refused === 0) return null;
  return (
    <Button onClick={() => void correctRefused(run)}>
      {`Correct ${refused === 1 ? 'the refused row' : `the ${formatCount(refused)} refused rows`}`}
    </Button>
  );
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return `about ${Math.ceil(seconds)} s`;
  return `about ${Math.ceil(seconds / 60)} min`;
}

/** After a reload or a crash, or in another tab. */
export function ContinueImport({ file, remaining }: StoredImport) {
  const isFinished = remaining === 0;
  // The results need no request.
  useEffect(() => {
    if (isFinished) void continueImport(file);
  }, [file, isFinished]);
  if (isFinished) return <LoadingRows count={6} />;
  return (
    <StepPanel key={remaining} title={`Continue the import of ${file.name}`}>
      <p>
        {`${formatCount(remaining)} of ${formatAnimals(file.plan.total)} ${remaining === 1 ? 'remains' : 'remain'} to be added.`}
      </p>
      <p>
        This device has an import that was started before. No animal is added twice. If the import runs in another tab,
        it stops there.
      </p>
      <Group>
        <Button onClick={() => void continueImport(file)}>Continue import</Button>
        <Button variant="default" onClick={() => void discardImport()}>
          Discard import
        </Button>
      </Group>
    </StepPanel>
  );
}

/** Opens the page of labels with the animals that were added. */
function PrintLabels({ rows }: { rows: readonly RowResult[] }) {
  const ids = rows.flatMap((row) => (row.state === 'created' ? [row.petId] : []));
  if (ids.length === 0) return null;
  return (
    <ButtonLink
      to="/labels"
      search={{ animals: 'imported' }}
      variant="default"
      leftSection={<PrinterIcon />}
      onClick={() => rememberImportedPets(ids)}
    >
      {`Print ${formatCount(ids.length)} ${ids.length === 1 ? 'label' : 'labels'}`}
    </ButtonLink>
  );
}
