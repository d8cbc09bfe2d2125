import { Alert, Button, FileButton, Group, Stack, Textarea, ThemeIcon } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { Category } from '@petstore/contracts';
import { type SubmitEvent, useRef, useState } from 'react';
import { UploadIcon } from '../../shared/icons.js';
import classes from './import.module.css';
import type { ImportView } from './open-import.js';
import { StepPanel } from './step-panel.js';
import { importer } from './use-import.js';

const accept = '.xlsx,.csv,.tsv,.txt,.ndjson,.jsonl';
/** With the names of the columns only. The mark tells spreadsheets the encoding. */
const template = 'data:text/csv;charset=utf-8,%EF%BB%BFname,category,status%0D%0A';

interface ChooseProps {
  view: Extract<ImportView, { step: 'choose' }>;
  categories: readonly Category[];
}

export function ChooseFile({ view: { error, awaited }, categories }: ChooseProps) {
  const [refused, setRefused] = useState<string>();
  const open = (name: string, content: Blob, isPasted = false) => {
    setRefused(undefined);
    void importer().choose(name, content, isPasted, categories);
  };
  // Cells of a spreadsheet have tabs between them. Without a tab, the text is that of a CSV file.
  const openText = (text: string) => open('Pasted rows', new Blob([text]), text.includes('\t'));
  const isOver = useFilesOfPage((transfer) => {
    const [file] = transfer.files;
    const reason = refusalOf(transfer);
    if (reason) setRefused(reason);
    else if (file) open(file.name, file);
  }, openText);
  return (
    <StepPanel title={awaited === undefined ? 'Choose your animals' : `Choose ${awaited} again`}>
      {awaited !== undefined && (
        <Alert color="yellow" title={`The import of ${awaited} is not finished`}>
          <p>Choose the file again to continue where you were.</p>
          <Button variant="default" onClick={() => void importer().close()}>
            Discard import
          </Button>
        </Alert>
      )}
      {(refused ?? error) && (
        <Alert color="red" title="The file can't be imported">
          {refused ?? error}
        </Alert>
      )}
      <Stack className={classes.drop} data-over={isOver || undefined} gap="xs" align="center" ta="center">
        <ThemeIcon variant="light" size={48} radius="xl">
          <UploadIcon />
        </ThemeIcon>
        <b>Drop an Excel or CSV file here</b>
        <p className="note">A row for each animal, with its name, its category and, if you like, its status.</p>
        <Group justify="center" mt="xs">
          <ChooseButton onFile={(file) => open(file.name, file)} />
          <Button component="a" variant="subtle" href={template} download="animals-template.csv">
            Download a template
          </Button>
        </Group>
      </Stack>
      <PasteForm onText={openText} />
    </StepPanel>
  );
}

/** A paste opens at once. The button is for rows that are typed. */
function PasteForm({ onText }: { onText: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    onText(field.current?.value ?? '');
  };
  return (
    <Stack component="form" gap="xs" align="start" onSubmit={open}>
      <Textarea
        label="Or paste cells"
        placeholder="Copy the rows in your spreadsheet, and paste them here"
        ref={field}
        data-rows
        w="100%"
        rows={2}
        required
        withAsterisk={false}
      />
      <Button type="submit" variant="default">
        Use these rows
      </Button>
    </Stack>
  );
}

function ChooseButton({ onFile }: { onFile: (file: File) => void }) {
  const reset = useRef<() => void>(null);
  const take = (file: File | null) => {
    if (file) onFile(file);
    // The person may choose the same file again, corrected.
    reset.current?.();
  };
  return (
    <FileButton accept={accept} resetRef={reset} onChange={take} inputProps={{ 'aria-label': 'File' }}>
      {(props) => <Button {...props}>Choose a file</Button>}
    </FileButton>
  );
}

/** Why what was dropped or pasted is no file to import. */
function refusalOf({ files, items }: DataTransfer): string | undefined {
  if (files.length > 1) return 'These are several files. Import one after the other.';
  if (items[0]?.webkitGetAsEntry()?.isDirectory) return 'This is a folder. Open it, and choose the file in it.';
  return files.length === 0 ? 'There is no file and no text. Copy the cells again.' : undefined;
}

/** Whether a file is over the page. Files that are dropped anywhere and cells that are pasted outside a field count. */
function useFilesOfPage(onFiles: (transfer: DataTransfer) => void, onText: (text: string) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useWindowEvent('dragover', ({ dataTransfer }) => {
    if (!dataTransfer?.types.includes('Files')) return;
    // The other pages refuse files.
    dataTransfer.dropEffect = 'copy';
    setIsOver(true);
  });
  useWindowEvent('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false));
  useWindowEvent('drop', ({ dataTransfer }) => {
    setIsOver(false);
    if (dataTransfer?.types.includes('Files')) onFiles(dataTransfer);
  });
  useWindowEvent('paste', (event) => {
    // A paste into the form continues at once: a field with thousands of rows would be slow.
    const isField = event.target instanceof Element && event.target.matches('input, textarea:not([data-rows])');
    if (isField || !event.clipboardData) return;
    event.preventDefault();
    // With the cells of a spreadsheet comes a picture of them.
    const hasFile = [...event.clipboardData.files].some(({ type }) => !type.startsWith('image/'));
    const text = event.clipboardData.getData('text/plain');
    if (hasFile || text === '') onFiles(event.clipboardData);
    else onText(text);
  });
  return isOver;
}
