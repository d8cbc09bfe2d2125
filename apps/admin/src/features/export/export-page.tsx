import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { maxSearchTotal, petStatuses } from '@petstore/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { download } from '../../shared/download.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { type FilterSearch, filterText, isSearch, parseFilter } from '../../shared/filter-search.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { Columns, LoadingRows, Page } from '../../shared/page.js';
import { PetTable } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import {
  type ExportedFile,
  type ExportProgress,
  isCanceled,
  previewRows,
  useExport,
  useExportPreview,
} from './use-export.js';

export function ExportPage() {
  const navigate = useNavigate();
  const filter = useSearch({ from: '/export', select: parseFilter, structuralSharing: true });
  const { names: categoryNames } = useCategoryNames();
  const [separator, setSeparator] = useState(usualSeparator);
  const run = useExport();
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (!run.isRunning) run.start({ filter, separator, categoryNames });
  };
  return (
    <Page title="Export animals">
      <Columns first="26rem">
        <Stack component="form" className="panel" gap="lg" p="clamp(1rem, 4vw, 1.5rem)" onSubmit={start}>
          <p>Saves animals in a file, for a spreadsheet or for another import. Nothing changes in the store.</p>
          <FilterChoice
            filter={filter}
            isDisabled={run.isRunning}
            onChange={(search) => {
              run.reset();
              void navigate({ to: '/export', search, replace: true });
            }}
          />
          <NativeSelect
            label="Separator"
            description="If your spreadsheet shows everything in one column, choose another one."
            data={separators}
            value={separator}
            disabled={run.isRunning}
            onChange={({ currentTarget }) => {
              run.reset();
              setSeparator(currentTarget.value);
            }}
          />
          <ExportButtons run={run} />
          <ExportResult run={run} />
        </Stack>
        <Preview filter={filter} />
      </Columns>
    </Page>
  );
}

const separators = [
  { value: ',', label: 'Comma (,)' },
  { value: ';', label: 'Semicolon (;)' },
  { value: '\t', label: 'Tab' },
];

/** Spreadsheets expect a semicolon in languages that write decimals with a comma. */
function usualSeparator(): string {
  return new Intl.NumberFormat(navigator.language).format(1.5).includes(',') ? ';' : ',';
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

interface FilterChoiceProps {
  filter: FilterSearch;
  isDisabled: boolean;
  onChange: (filter: FilterSearch) => void;
}

function FilterChoice({ filter, isDisabled, onChange }: FilterChoiceProps) {
  const { names } = useCategoryNames();
  /** The results that the person came from. */
  const [results] = useState(isSearch(filter) ? filter : undefined);
  const choices = results ? [{ value: 'results', label: filterText(results, names) }, ...lists] : lists;
  return (
    <NativeSelect
      label="Animals"
      data={choices}
      value={isSearch(filter) ? 'results' : (filter.status ?? 'all')}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) =>
        onChange(results && value === 'results' ? results : parseFilter({ status: value }))
      }
    />
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
      <progress
        aria-label="Export"
        {...(total !== undefined && { value: exported, max: Math.max(exported, total, 1) })}
      />
      <p>
        <span>
          {total === undefined ? formatAnimals(exported) : `${formatCount(exported)} of ${formatAnimals(total)}`}.
        </span>{' '}
        Stay on this page until the file is saved.
      </p>
    </div>
  );
}

function Done({ file: { name, content, count } }: { file: ExportedFile }) {
  return (
    <div>
      <p>{`Exported ${formatAnimals(count)}. The browser saved the file in its downloads folder.`}</p>
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
  const { pets = [], total } = data ?? {};
  return (
    <Stack
      component="section"
      className="panel"
      gap="xs"
      p="clamp(1rem, 4vw, 1.5rem)"
      aria-label="Preview"
      aria-busy={isFetching}
    >
      <h2>{data ? countText(total) : 'Animals'}</h2>
      <p className="note">{filterText(filter, names) || 'All animals of the store'}</p>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <LoadingRows count={previewRows + 1} isPlain />}
      {pets.length > 0 && <PetTable pets={pets} />}
      {data?.next !== undefined && (
        <p className="note">{`and ${total === undefined ? '' : `${formatCount(total - pets.length)} `}more.`}</p>
      )}
    </Stack>
  );
}

/** The service counts the results of a search up to this number. */
function countText(total: number | undefined): string {
  return total === undefined ? `More than ${formatAnimals(maxSearchTotal)}` : formatAnimals(total);
}
