import { Button } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import classes from './import.module.css';
import type { RefusedRow } from './import-rows.js';
import { correctRow } from './import-session.js';
import type { CheckedState } from './import-state.js';

interface RefusedCellsProps {
  row: RefusedRow;
  cells: readonly string[];
  /** Without it, the import has begun, and the row cannot be corrected. */
  checked: CheckedState | undefined;
}

/** The row as it is in the file, with the wrong cells marked. */
export function RefusedCells({ row, cells, checked }: RefusedCellsProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen && checked) return <CorrectionForm row={row} cells={cells} checked={checked} />;
  return (
    <div className={classes.cells}>
      {cells.map((cell, index) => {
        const Cell = row.wrong.includes(index) ? 'mark' : 'span';
        // oxlint-disable-next-line react/no-array-index-key -- A cell is its position.
        return <Cell key={index}>{cell || '(empty)'}</Cell>;
      })}
      {checked && (
        <Button variant="subtle" size="compact-md" onClick={() => setIsOpen(true)}>
          Correct row {row.line}
        </Button>
      )}
    </div>
  );
}

function CorrectionForm({ row: { line, wrong }, cells, checked }: RefusedCellsProps & { checked: CheckedState }) {
  const { names } = checked.start;
  const [values, setValues] = useState(() => names.map((_, index) => cells[index] ?? ''));
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void correctRow(checked, line, values);
  };
  return (
    <form className={classes.cells} onSubmit={save}>
      {names.map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- A column is its position.
        <label key={index}>
          {name || `Column ${index + 1}`}
          <input
            // The person has just asked for it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={index === (wrong[0] ?? 0)}
            value={values[index]}
            aria-invalid={wrong.includes(index) || undefined}
            onChange={({ currentTarget: { value } }) => setValues(values.with(index, value))}
          />
        </label>
      ))}
      <Button type="submit" variant="default" size="compact-md">
        Check again
      </Button>
    </form>
  );
}
