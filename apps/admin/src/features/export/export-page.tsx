import { Alert, Button, Group, NativeSelect, Radio, Stack } from '@mantine/core';
import { maxSearchTotal, petStatuses } from '@petstore/contracts';
import { TooManyForExcel } from '@petstore/import-export/export-pets.js';
import { tableLimits } from '@petstore/table/table.js';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { live } from '../../shared/api.js';
import { download } from '../../shared/download.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { type FilterSearch, filterText, isSearch, parseFilter } from '../../shared/filter-search.js';
import { formatAnimals, formatCount, statusLabels } from '../../shared/format.js';
import { AlertIcon } from '../../shared/icons.js';
import { Page } from '../../shared/page.js';
import { petCountQuery } from '../../shared/pet-queries.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type ExportedFile, type ExportProgress, type FileFormat, isCanceled, useExport } from './use-export.js';

export function ExportPage() {
  const navigate = useNavigate();
  const filter = useSearch({ from: '/export', select: parseFilter, structuralSharing: true });
  const { names: categoryNames } = useCategoryNames();
  const [format, setFormat] = useState<FileFormat>('xlsx');
  const run = useExport();
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (!run.isRunning) run.start({ filter, format, categoryNames });
  };
  return (
    <Page title="Export animals">
      <Stack component="form" className="panel" gap="lg" maw="36rem" p="clamp(1rem, 4vw, 1.5rem)" onSubmit={start}>
        <p>Saves animals in a file, for a spreadsheet or for another import. Nothing changes in the store.</p>
        <FilterChoice
          filter={filter}
          isDisabled={run.isRunning}
          onChange={(search) => {
            run.reset();
            void navigate({ to: '/export', search, replace: true });
          }}
        />
        <FormatChoice
          format={format}
          isDisabled={run.isRunning}
          onChange={(chosen) => {
            run.reset();
            setFormat(chosen);
          }}
        />
        <ExportButtons run={run} />
        <ExportResult run={run} />
      </Stack>
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

interface FilterChoiceProps {
  filter: FilterSearch;
  isDisabled: boolean;
  onChange: (filter: FilterSearch) => void;
}

function FilterChoice({ filter, isDisabled, onChange }: FilterChoiceProps) {
  const { names } = useCategoryNames();
  /** The results that the person came from. */
  const [results] = useState(isSearch(filter) ? filter : undefined);
  const count = useQuery({ ...petCountQuery(filter.status, filter), ...live }).data;
  const choices = results ? [{ value: 'results', label: filterText(results, names) }, ...lists] : lists;
  return (
    <NativeSelect
      label="Animals"
      description={count === undefined ? '\u00A0' : countText(count)}
      inputWrapperOrder={['label', 'input', 'description']}
      data={choices}
      value={isSearch(filter) ? 'results' : (filter.status ?? 'all')}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) =>
        onChange(results && value === 'results' ? results : parseFilter({ status: value }))
      }
    />
  );
}

interface FormatChoiceProps {
  format: FileFormat;
  isDisabled: boolean;
  onChange: (format: FileFormat) => void;
}

function FormatChoice({ format, isDisabled, onChange }: FormatChoiceProps) {
  return (
    <Radio.Group label="File" size="md" value={format} disabled={isDisabled} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        <Radio value="xlsx" label="Excel (.xlsx)" description={`For up to ${formatAnimals(tableLimits.excelRows)}`} />
        <Radio value="csv" label="CSV" description="For other programs, and for more animals" />
      </Stack>
    </Radio.Group>
  );
}

function ExportResult({ run: { progress, file, error, isRunning } }: { run: ReturnType<typeof useExport> }) {
  if (isRunning) return <ExportProgressBar progress={progress} />;
  if (file) return <Done file={file} />;
  if (!error) return null;
  if (isCanceled(error)) return <p role="status">Export canceled. No file was saved.</p>;
  if (error instanceof TooManyForExcel) {
    return (
      <Alert color="red" icon={<AlertIcon />} title="Too many animals for Excel">
        {error.message}
      </Alert>
    );
  }
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

/** The service counts the results of a search up to this number. */
function countText(total: number | null): string {
  return total === null ? `More than ${formatAnimals(maxSearchTotal)}` : formatAnimals(total);
}
