import { Button, NativeSelect } from '@mantine/core';
import type { ColumnChoice } from '@petstore/import-export/pet-columns.js';
import { type PetColumn, requiredColumns } from '@petstore/import-export/pet-columns.js';
import type { CsvStart } from '@petstore/import-export/read-start.js';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { checkRows, matchColumns, startOver } from './import-session.js';
import { StepPanel } from './step-panel.js';

/** The service assigns the `id`. */
type Choice = Exclude<PetColumn, 'id'> | '';

const choices: { value: Choice; label: string }[] = [
  { value: '', label: "Don't import" },
  { value: 'name', label: 'Name' },
  { value: 'categoryId', label: 'Category number' },
  { value: 'status', label: 'Status' },
];

interface MatchColumnsProps {
  file: ImportFile;
  start: CsvStart;
}

export function MatchColumns({ file, start }: MatchColumnsProps) {
  const isReady = requiredColumns.every((column) => file.columns.includes(column));
  const columns = start.names.map((name, index) => ({ index, name: name || `Column ${index + 1}` }));
  return (
    <StepPanel title={`Match the columns of ${file.name}`}>
      <p>The first row has the column names, and is not imported. Petstore gives every animal a new number.</p>
      <ul className={classes.columns}>
        {columns.map((column) => (
          <ColumnField key={column.index} file={file} start={start} {...column} />
        ))}
      </ul>
      {!isReady && <p role="status">Choose a column for the name, and one for the category number.</p>}
      <div className={classes.buttons}>
        <Button aria-disabled={!isReady} onClick={() => isReady && void checkRows(file, start)}>
          Check rows
        </Button>
        <Button variant="subtle" onClick={startOver}>
          Start over
        </Button>
      </div>
    </StepPanel>
  );
}

function ColumnField({ file, start, index, name }: MatchColumnsProps & { index: number; name: string }) {
  const examples = start.rows.map((row) => row[index]).filter((cell) => cell !== undefined && cell !== '');
  const column = file.columns[index];
  return (
    <li>
      <NativeSelect
        label={name}
        data={choices}
        value={column === 'id' ? '' : (column ?? '')}
        onChange={({ currentTarget }) =>
          matchColumns(file, start, withColumn(file.columns, index, currentTarget.value as Choice))
        }
      />
      <span className={classes.examples}>{examples.join(' · ')}</span>
    </li>
  );
}

/** A field of an animal comes from one column: the last choice counts. */
function withColumn(columns: ColumnChoice, index: number, value: Choice): ColumnChoice {
  const chosen = value || undefined;
  return columns.map((column, other) => {
    if (other === index) return chosen;
    return column === chosen ? undefined : column;
  });
}
