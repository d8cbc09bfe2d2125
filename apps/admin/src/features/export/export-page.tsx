import { Button, Group, NativeSelect } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import type { ExportFormat } from '@petstore/import-export/export-pets.js';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { download } from '../../shared/download.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { type FilterSearch, filterText, isFound, parseFilter } from '../../shared/filter-search.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { Columns, LoadingRows, Page } from '../../shared/page.js';
import { PetTable } from '../../shared/pet-table.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './export.module.css';
import {
  type ExportedFile,
  type ExportProgress,
  type ExportRequest,
  isCanceled,
  previewRows,
  useExport,
  useExportPreview,
} from './use-export.js';

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
      <Columns first="26rem">
        <form className={`panel ${classes.form}`} onSubmit={start}>
          <p>Saves animals in a file, for a spreadsheet or for another import. Nothing changes in the store.</p>
          <ExportChoices request={{ filter, format }} isDisabled={run.isRunning} onChange={change} />
          <ExportButtons run={run} />
          <ExportResult run={run} />
        </form>
        <Preview filter={filter} />
      </Columns>
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
const formats: { value: ExportFormat; label: string; use: string }[] = [
  { value: 'csv', label: 'CSV', use: 'For spreadsheets, and to import the animals again' },
  { value: 'ndjson', label: 'JSON', use: 'For programs: one animal per line' },
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
    <>
      <NativeSelect
        label="Animals"
        data={choices}
        value={isFound(filter) ? 'results' : (filter.status ?? 'all')}
        disabled={isDisabled}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <fieldset className={classes.formats} disabled={isDisabled}>
        <legend>File</legend>
        {formats.map(({ value, label, use }) => (
          <label key={value} className="check">
            <input
              type="radio"
              name="format"
              checked={value === request.format}
              onChange={() => onChange({ ...request, format: value })}
            />
            <span>
              {label}
              <small>{use}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

function ExportResult({ run: { progress, file, error, isRunning } }: { run: ReturnType<typeof useExport> }) {
  if (isRunning) return <ExportProgressBar progress={progress} />;
  if (file) return <Done file={file} />;
  if (!error) return null;
  if (isCanceled(error)) return <p role="status">Export canceled. No file was saved.</p>;
  return (
    <ErrorNotice error={error}>
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

/** How many animals the file will have, and the first of them. */
function Preview({ filter }: { filter: FilterSearch }) {
  const { names } = useCategoryNames();
  const { data, error, refetch, isFetching } = useExportPreview(filter);
  const { pets = [], total = 0 } = data ?? {};
  return (
    <section className={`panel ${classes.preview}`} aria-label="Preview" aria-busy={isFetching}>
      <h2>{data ? formatAnimals(total) : 'Animals'}</h2>
      <p className="note">{filterText(filter, names) || 'All animals of the store'}</p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <LoadingRows count={previewRows + 1} isPlain />}
      {pets.length > 0 && <PetTable pets={pets} />}
      {total > pets.length && (
        <p className="note">{`and ${formatCount(total - pets.length)} more. The file has the numbers of the categories.`}</p>
      )}
    </section>
  );
}
