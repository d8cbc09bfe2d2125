import { Button } from '@mantine/core';
import type { CsvStart } from '@petstore/import-export/read-start.js';
import { formatAnimals, formatCount } from '../../shared/format.js';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { matchColumns, startOver } from './import-session.js';
import type { CheckResult } from './import.worker.js';
import { RowResults } from './row-results.js';
import { startImport } from './run-import.js';
import { StepPanel } from './step-panel.js';

interface CheckedRowsProps {
  file: ImportFile;
  start: CsvStart;
  result: CheckResult;
}

/** Nothing was sent yet. */
export function CheckedRows({ file, start, result: { valid, faults } }: CheckedRowsProps) {
  return (
    <StepPanel title={`${formatAnimals(valid)} ready to import`}>
      {faults.length > 0 && (
        <p>
          {faults.length === 1 ? '1 row has an error' : `${formatCount(faults.length)} rows have errors`} and will not
          be imported. You can download them, correct them, and import them later.
        </p>
      )}
      <p>You cannot remove animals after the import. Check that this is the right file: {file.name}</p>
      <div className={classes.buttons}>
        {valid > 0 && <Button onClick={() => void startImport(file)}>Import {formatAnimals(valid)}</Button>}
        <Button variant="default" onClick={() => matchColumns(file, start, file.columns)}>
          Change columns
        </Button>
        <Button variant="subtle" onClick={startOver}>
          Start over
        </Button>
      </div>
      {faults.length > 0 && <RowResults file={file} rows={faults} />}
    </StepPanel>
  );
}
