import { Button, Group, NativeSelect } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import type { ExportFormat } from '@petstore/import-export/export-pets.js';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { download } from '../../shared/download.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { filterText, isFound, parseFilter } from '../../shared/filter-search.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { Page } from '../../shared/page.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './export.module.css';
import { type ExportedFile, type ExportProgress, type ExportRequest, isCanceled, useExport } from './use-export.js';

export function ExportPage() {
  const navigate = useNavigate();
  const filter = useSearch({ from: '/export', select: parseFilter, structuralSharing: true });
  const [format, setFormat] = useState<ExportFormat>('csv');
  const run = useExport();
  const change = (request: ExportRequest) => {
    run.reset();
    setFormat(request.format);
    if (request.filter !== filter) void navigate({ to: '/export', search: request.filter, replace: true });
  };
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (!run.isRunning) run.start({ filter, format });
  };
  return (
    <Page title="Export animals">
      <p className={classes.intro}>
        Saves the number, name, category and status of your animals in a file, for a spreadsheet or for another import.
        Nothing changes in the store.
      </p>
      <form className={`panel ${classes.form}`} onSubmit={start}>
        <ExportChoices request={{ filter, format }} isDisabled={run.isRunning} onChange={change} />
        <ExportButtons run={run} />
        <ExportResult run={run} />
      </form>
    </Page>
  );
}

function ExportButtons({ run: { isRunning, cancel } }: { run: ReturnType<typeof useExport> }) {
  return (
    <Group gap="sm">
      <Button type="submit" aria-disabled={isRunning}>
        {isRunning ? 'Exporting…' : 'Export'}
      </Button>
      {isRunning && (
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      )}
    </Group>
  );
}

const lists = [
  { value: 'all', label: 'All animals' },
  ...petStatuses.map((value) => ({ value, label: statusLabels[value] })),
];
const formats: { value: ExportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'ndjson', label: 'JSON, one animal per line' },
];

interface ExportChoicesProps {
  request: ExportRequest;
  isDisabled: boolean;
  onChange: (request: ExportRequest) => void;
}

function ExportChoices({ request, isDisabled, onChange }: ExportChoicesProps) {
  const { names } = useCategoryNames();
  const { filter } = request;
  /** The results that the person came from. */
  const [results] = useState(isFound(filter) ? filter : undefined);
  const choices = results ? [{ value: 'results', label: filterText(results, names) }, ...lists] : lists;
  const choose = (value: string) =>
    onChange({ ...request, filter: results && value === 'results' ? results : parseFilter({ status: value }) });
  return (
    <Group gap="md">
      <NativeSelect
        label="Animals"
        data={choices}
        value={isFound(filter) ? 'results' : (filter.status ?? 'all')}
        disabled={isDisabled}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <NativeSelect
        label="File"
        data={formats}
        value={request.format}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange({ ...request, format: currentTarget.value as ExportFormat })}
      />
    </Group>
  );
}

function ExportResult({ run: { progress, file, error, isRunning } }: { run: ReturnType<typeof useExport> }) {
  if (isRunning) return <ExportProgressBar progress={progress} />;
  if (file) return <Done file={file} />;
  if (!error) return null;
  if (isCanceled(error)) return <p role="status">Export canceled. No file was saved.</p>;
  return (
    <ErrorNotice error={error} action="see animals">
      <p>No file was saved. Start the export again.</p>
    </ErrorNotice>
  );
}

function ExportProgressBar({ progress }: { progress: ExportProgress | undefined }) {
  if (!progress) return <p>Starting…</p>;
  const { exported, total } = progress;
  return (
    <div>
      <progress aria-label="Export" value={exported} max={Math.max(exported, total, 1)} />
      <p>
        {formatCount(exported)} of {formatAnimals(total)}. Stay on this page until the file is saved.
      </p>
    </div>
  );
}

function Done({ file: { name, content, count } }: { file: ExportedFile }) {
  return (
    <div>
      <p>Exported {formatAnimals(count)}. The browser saved the file in its downloads folder.</p>
      <Button variant="default" mt="sm" onClick={() => download(name, content)}>
        Save the file again
      </Button>
    </div>
  );
}
