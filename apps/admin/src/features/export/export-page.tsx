import { Alert, Button, Group, NativeSelect, Progress, Radio, Stack } from '@mantine/core';
import { maxTotalOf, petStatuses } from '@petstore/contracts';
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
import { type ExportProgress, type FileFormat, isCanceled, useExport } from './use-export.js';

const formats: { value: FileFormat; label: string; note: string }[] = [
  { value: 'xlsx', label: 'Excel (.xlsx)', note: `For up to ${formatAnimals(tableLimits.excelRows)}` },
  { value: 'csv', label: 'CSV', note: 'For other programs, and for more animals' },
];

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
  const openFilter = (search: FilterSearch) => {
    run.reset();
    void navigate({ to: '/export', search, replace: true });
  };
  return (
    <Page title="Export animals">
      <Stack component="form" className="panel" gap="lg" maw="36rem" onSubmit={start}>
        <p className="note">
          Saves animals in a file, for a spreadsheet or for another import. Nothing changes in the store.
        </p>
        <FilterChoice filter={filter} isDisabled={run.isRunning} onChange={openFilter} />
        <Radio.Group
          label="File"
          size="md"
          value={format}
          disabled={run.isRunning}
          onChange={(chosen) => {
            run.reset();
            setFormat(chosen);
          }}
        >
          <Stack gap="xs" mt={4}>
            {formats.map(({ value, label, note }) => (
              <Radio.Card key={value} value={value} p="sm" aria-label={label}>
                <Group wrap="nowrap" align="start" gap="sm">
                  <Radio.Indicator />
                  <div>
                    <b>{label}</b>
                    <p className="note">{note}</p>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </Stack>
        </Radio.Group>
        <ExportResult run={run} />
        <Group gap="sm">
          <Button type="submit" aria-disabled={run.isRunning}>
            {run.isRunning ? 'Exporting…' : 'Export'}
          </Button>
          {run.isRunning && (
            <Button variant="default" onClick={run.cancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </Page>
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
  return (
    <NativeSelect
      label="Animals"
      description={count === undefined ? '\u00A0' : countText(count, filter)}
      inputWrapperOrder={['label', 'input', 'description']}
      data={results ? [{ value: 'results', label: filterText(results, names) }, ...lists] : lists}
      value={isSearch(filter) ? 'results' : (filter.status ?? 'all')}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) =>
        onChange(results && value === 'results' ? results : parseFilter({ status: value }))
      }
    />
  );
}

function countText(total: number | null, filter: FilterSearch): string {
  return total === null ? `More than ${formatAnimals(maxTotalOf(filter))}` : formatAnimals(total);
}

function ExportResult({ run: { progress, file, error, isRunning } }: { run: ReturnType<typeof useExport> }) {
  if (isRunning) return <ProgressOf {...progress} />;
  if (file) {
    return (
      <Alert color="spruce" title={`Exported ${formatAnimals(file.count)}`}>
        <p>The browser saved the file in its downloads folder.</p>
        <Button variant="default" onClick={() => download(file.name, file.content)}>
          Save the file again
        </Button>
      </Alert>
    );
  }
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

function ProgressOf({ exported, total }: ExportProgress) {
  return (
    <div>
      {total !== undefined && (
        <Progress size="lg" mb="xs" aria-label="Export" value={total === 0 ? 100 : (exported / total) * 100} />
      )}
      <p>{total === undefined ? formatAnimals(exported) : `${formatCount(exported)} of ${formatAnimals(total)}`}</p>
      <p className="note">Stay on this page until the file is saved.</p>
    </div>
  );
}
