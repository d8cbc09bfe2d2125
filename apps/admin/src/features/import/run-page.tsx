import { Alert, Button, Group, Progress } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { csvFile, download } from '../../shared/download.js';
import { formatAnimals, formatCount } from '../../shared/format.js';
import { PrinterIcon } from '../../shared/icons.js';
import { rememberImportedPets } from '../labels/index.js';
import { importer, runImport } from './use-import.js';
import type { RunView } from './open-import.js';
import { RowTable } from './row-table.js';
import { Problem, StepPanel } from './step-panel.js';

const labels = { created: 'Added', refused: 'Refused', leftOut: 'Left out' };

export function RunPage({ view, problem }: { view: RunView; problem: unknown }) {
  const { step, file, done, counts } = view;
  const titles = {
    running: `Importing ${file.name}`,
    paused: done === 0 ? `Continue the import of ${file.name}` : 'Import paused',
    done: `${formatAnimals(counts.created)} added`,
  };
  return (
    <StepPanel key={step} title={titles[step]}>
      {step !== 'done' && <ProgressOf view={view} />}
      <Problem problem={problem}>
        The import has stopped. Nothing is lost, and no animal is added twice when you continue.
      </Problem>
      <Group gap="sm">{step === 'done' ? <DoneButtons view={view} /> : <RunningButtons view={view} />}</Group>
      {step !== 'running' && done > 0 && <RowTable view={view} labels={labels} />}
    </StepPanel>
  );
}

function ProgressOf({ view: { step, total, done, counts, wait } }: { view: RunView }) {
  if (step === 'paused' && done === 0) {
    return <p>{`Some of its ${formatAnimals(total)} may be in the store already. None of them is added twice.`}</p>;
  }
  const parts = [
    `${formatCount(done)} of ${formatAnimals(total)}`,
    counts.refused > 0 && `${formatCount(counts.refused)} refused`,
    counts.leftOut > 0 && `${formatCount(counts.leftOut)} left out`,
  ];
  return (
    <>
      <Progress size="lg" value={total === 0 ? 100 : (done / total) * 100} aria-label="Animals done" />
      <p>{parts.filter(Boolean).join(', ')}</p>
      {step === 'running' && wait !== undefined && <Alert color="yellow">{waitText(wait)}</Alert>}
      {step === 'running' && (
        <p className="note">Keep this tab open. You can use the other pages of Petstore meanwhile.</p>
      )}
    </>
  );
}

function waitText(wait: 'outage' | number): string {
  if (wait === 'outage') return "Petstore doesn't answer. The import continues when it does.";
  return `Petstore limits how many animals are added per minute. The import continues in ${wait} s.`;
}

const discardQuestion =
  'Discard this import? The animals that it added stay in the store. You cannot continue it later.';

function RunningButtons({ view: { step, isPausing } }: { view: RunView }) {
  if (step === 'running') {
    return (
      <Button variant="default" aria-disabled={isPausing} onClick={() => void importer().pause()}>
        {isPausing ? 'Pausing…' : 'Pause'}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => void runImport()}>Continue import</Button>
      <Button variant="default" onClick={() => confirm(discardQuestion) && void importer().close()}>
        Discard import
      </Button>
    </>
  );
}

function DoneButtons({ view: { counts } }: { view: RunView }) {
  const { created, refused } = counts;
  const navigate = useNavigate();
  const print = async () => {
    rememberImportedPets(await importer().createdIds());
    await navigate({ to: '/labels', search: { animals: 'imported' } });
  };
  const save = async () => download('refused-rows.csv', csvFile([await importer().refusedRows()]));
  return (
    <>
      {created > 0 && (
        <Button leftSection={<PrinterIcon />} onClick={() => void print()}>
          {`Print ${formatCount(created)} ${created === 1 ? 'label' : 'labels'}`}
        </Button>
      )}
      {refused > 0 && (
        <Button variant="default" onClick={() => void save()}>
          Download refused rows
        </Button>
      )}
      <Button variant="default" onClick={() => void importer().close()}>
        Import another file
      </Button>
    </>
  );
}
