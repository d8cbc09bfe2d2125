import { Button, Group, NativeSelect } from '@mantine/core';
import { petStatuses } from '@petstore/contracts';
import type { ExportFormat } from '@petstore/import-export/export-pets.js';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../shared/page.js';
import { statusLabels } from '../../shared/status-labels.js';
import { ExportResult } from './export-result.js';
import { parseExportSearch } from './export-search.js';
import classes from './export.module.css';
import { useExport } from './use-export.js';

const statuses = [{ value: '', label: 'All animals' }, ...petStatuses.map((value) => ({ value, label: statusLabels[value] }))];
const formats: { value: ExportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'ndjson', label: 'JSON, one animal per line' },
];

export function ExportPage() {
  const navigate = useNavigate();
  const status = useSearch({ from: '/export', select: (search) => parseExportSearch(search).status });
  const [format, setFormat] = useState<ExportFormat>('csv');
  const run = useExport();
  return (
    <Page title="Export">
      <p className={classes.intro}>
        Saves the number, name, category and status of your animals in a file: for a spreadsheet, or to import it again.
        Nothing in the store changes.
      </p>
      <form
        className={`panel ${classes.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!run.isRunning) run.start({ status, format });
        }}
      >
        <Group gap="md">
          <NativeSelect
            label="Animals"
            data={statuses}
            value={status ?? ''}
            disabled={run.isRunning}
            onChange={({ currentTarget: { value } }) => {
              run.reset();
              void navigate({ to: '/export', search: parseExportSearch({ status: value }), replace: true });
            }}
          />
          <NativeSelect
            label="File"
            data={formats}
            value={format}
            disabled={run.isRunning}
            onChange={({ currentTarget: { value } }) => {
              run.reset();
              setFormat(value as ExportFormat);
            }}
          />
        </Group>
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
        <ExportResult run={run} />
      </form>
    </Page>
  );
}
