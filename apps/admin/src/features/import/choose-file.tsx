import { Alert, Button, Stack } from '@mantine/core';
import { type ClipboardEvent, type SubmitEvent, useState } from 'react';
import { csvFile, download } from '../../shared/download.js';
import classes from './import.module.css';
import { chooseFile } from './prepare-import.js';
import { StepPanel } from './step-panel.js';

const template = csvFile(['name,category,status\r\nRex,7,available\r\n']);

export function ChooseFile({ error }: { error: string | undefined }) {
  return (
    <StepPanel title="Choose your animals">
      <p>
        Add many animals at once from a spreadsheet. The first row has the column names. You need a column for the name
        and one for the category. A column for the status (available, pending or sold) is optional.
      </p>
      {error && (
        <Alert color="red" title="The rows can't be read">
          {error}
        </Alert>
      )}
      <FileField />
      <PasteField />
      <Button variant="default" onClick={() => download('animals-template.csv', template)}>
        Download a template
      </Button>
    </StepPanel>
  );
}

/** Browsers also let a person drop a file on the field. */
function FileField() {
  return (
    <Stack component="label" gap="xs" w="min(36rem, 100%)" className={classes.file}>
      Choose a CSV file, or drop it here
      <input
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) void chooseFile(file.name, file);
        }}
      />
    </Stack>
  );
}

/** A paste continues at once: a field with thousands of rows would be slow. */
function PasteField() {
  const [text, setText] = useState('');
  // Cells of a spreadsheet have tabs between them. Without a tab, the text is that of a CSV file.
  const take = (rows: string) => void chooseFile('Pasted rows', new Blob([rows]), rows.includes('\t'));
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    take(event.clipboardData.getData('text/plain'));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    take(text);
  };
  return (
    <Stack component="form" gap="xs" w="min(36rem, 100%)" onSubmit={submit}>
      <label htmlFor="pasted-rows">Or copy the cells in your spreadsheet, and paste them here</label>
      <textarea
        id="pasted-rows"
        rows={4}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={paste}
      />
      {text !== '' && (
        <Button type="submit" variant="default" mr="auto">
          Use these rows
        </Button>
      )}
    </Stack>
  );
}
