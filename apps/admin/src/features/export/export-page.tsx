import { Button, Group } from '@mantine/core';
import type { ExportFormat } from '@petstore/import-export/export-pets.js';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ListLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { ExportChoices } from './export-choices.js';
import type { ExportRequest } from './export-file.js';
import { ExportResult } from './export-result.js';
import { parseExportSearch } from './export-search.js';
import classes from './export.module.css';
import { useExport } from './use-export.js';

export function ExportPage() {
  const navigate = useNavigate();
  const status = useSearch({ from: '/export', select: (search) => parseExportSearch(search).status });
  const [format, setFormat] = useState<ExportFormat>('csv');
  const run = useExport();
  const change = (request: ExportRequest) => {
    run.reset();
    setFormat(request.format);
    const search = parseExportSearch({ status: request.status });
    if (request.status !== status) void navigate({ to: '/export', search, replace: true });
  };
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (!run.isRunning) run.start({ status, format });
  };
  return (
    <Page title="Export animals" above={<ListLink />}>
      <p className={classes.intro}>
        Saves the number, name, category and status of your animals in a file, for a spreadsheet or for another import.
        Nothing changes in the store.
      </p>
      <form className={`panel ${classes.form}`} onSubmit={start}>
        <ExportChoices request={{ status, format }} isDisabled={run.isRunning} onChange={change} />
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
