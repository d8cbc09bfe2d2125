import { Button } from '@mantine/core';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { discardImport } from './import-session.js';
import { continueImport } from './run-import.js';
import { StepPanel } from './step-panel.js';

/** After a reload or a crash, or in another tab. */
export function StoredImport({ file }: { file: ImportFile }) {
  return (
    <StepPanel title={`Continue the import of ${file.name}`}>
      <p>
        This device has an import that was started before. Continue to import the remaining rows, or to see the results.
        No animal is added twice. If the import runs in another tab, it stops there.
      </p>
      <div className={classes.buttons}>
        <Button onClick={() => void continueImport(file)}>Continue import</Button>
        <Button variant="default" onClick={() => void discardImport()}>
          Discard import
        </Button>
      </div>
    </StepPanel>
  );
}
