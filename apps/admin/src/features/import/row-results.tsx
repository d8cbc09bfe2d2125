import { Button, Group, NativeSelect } from '@mantine/core';
import { type NewPet, newPetFields } from '@petstore/contracts';
import { type SubmitEvent, useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { CellInput } from '../../shared/cell-input.js';
import { download } from '../../shared/download.js';
import { formatCount } from '../../shared/format.js';
import { PetLink } from '../../shared/links.js';
import { headings } from '../../shared/pet-parts.js';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { countRefused, type InvalidRow, reasonOf, type RowResult, rowStateLabels, wrongCells } from './import-rows.js';
import type { CheckedState } from './import-state.js';
import { correctRow, refusedFile } from './prepare-import.js';
import { type CellFieldProps, StatusSelect } from './wrong-values.js';

const pageSize = 50;
const labels = [...new Set(Object.values(rowStateLabels))];

interface RowResultsProps {
  file: ImportFile;
  rows: readonly RowResult[];
  /** Before the import, a person can correct the rows. */
  checked?: CheckedState | undefined;
}

/** The result of each row, in pages: thousands of rows at once would be slow. */
export function RowResults({ file, rows, checked }: RowResultsProps) {
  const [filter, setFilter] = useState('');
  const [page, setPage] = useState(0);
  const rowsOf = (label: string) => rows.filter(({ state }) => rowStateLabels[state] === label);
  const shown = filter === '' ? rows : rowsOf(filter);
  const filters = labels.map((label) => ({ label, rows: rowsOf(label).length })).filter((one) => one.rows > 0);
  const options = filters.map(({ label, rows: number }) => ({
    value: label,
    label: `${label} (${formatCount(number)})`,
  }));
  return (
    <>
      <Group>
        {filters.length > 1 && (
          <NativeSelect
            aria-label="Show rows"
            data={[{ value: '', label: `All rows (${formatCount(rows.length)})` }, ...options]}
            value={filter}
            onChange={({ currentTarget }) => {
              setFilter(currentTarget.value);
              setPage(0);
            }}
          />
        )}
        {!checked && countRefused(rows) > 0 && (
          <Button variant="default" onClick={() => void downloadRefused(file, rows)}>
            Download refused rows
          </Button>
        )}
      </Group>
      <ResultTable file={file} rows={shown.slice(page * pageSize, (page + 1) * pageSize)} checked={checked} />
      <PageButtons page={page} pageCount={Math.ceil(shown.length / pageSize)} onChange={setPage} />
    </>
  );
}

function ResultTable({ file, rows, checked }: RowResultsProps) {
  const { columns = [] } = file.settings;
  return (
    <table className={classes.results}>
      <thead>
        <tr>
          <th scope="col" style={{ width: '5rem' }}>
            Row
          </th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.line}>
            <th scope="row">{formatCount(row.line)}</th>
            <td>
              <ResultText row={row} />
              {row.state === 'invalid' && row.cells && (
                <RefusedCells row={row} cells={row.cells} wrong={wrongCells(row, columns)} checked={checked} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ResultText({ row }: { row: RowResult }) {
  const label = rowStateLabels[row.state];
  if (row.state === 'created') return <AnimalLink id={row.petId}>{`${label} as number`}</AnimalLink>;
  if (row.state !== 'existing' && row.state !== 'repeated') {
    return <span>{[label, reasonOf(row)].filter(Boolean).join(': ')}</span>;
  }
  return (
    <>
      <bdi translate="no">{row.name}</bdi>:{' '}
      {row.state === 'existing' ? (
        <AnimalLink id={row.petId}>already in the store as number</AnimalLink>
      ) : (
        <span>more than once in this file</span>
      )}
    </>
  );
}

function AnimalLink({ id, children }: { id: bigint; children: string }) {
  return (
    <PetLink id={id} preload={false}>
      {`${children} ${id}`}
    </PetLink>
  );
}

function PageButtons(props: { page: number; pageCount: number; onChange: (page: number) => void }) {
  const { page, pageCount, onChange } = props;
  if (pageCount < 2) return null;
  return (
    <Group component="nav" aria-label="Pages of results">
      <Button variant="default" aria-disabled={page === 0} onClick={() => onChange(Math.max(0, page - 1))}>
        Previous
      </Button>
      <Button
        variant="default"
        aria-disabled={page === pageCount - 1}
        onClick={() => onChange(Math.min(pageCount - 1, page + 1))}
      >
        Next
      </Button>
      <span>{`Page ${formatCount(page + 1)} of ${formatCount(pageCount)}`}</span>
    </Group>
  );
}

async function downloadRefused(file: ImportFile, rows: readonly RowResult[]): Promise<void> {
  download('refused-rows.csv', await refusedFile(file, rows));
}

interface RefusedCellsProps {
  row: InvalidRow;
  cells: readonly string[];
  /** The positions of the cells that are wrong. */
  wrong: readonly number[];
  /** Without it, the import has begun: its refused rows become another one. */
  checked: CheckedState | undefined;
}

/** The row of the file, with the wrong cells marked. */
function RefusedCells({ row, cells, wrong, checked }: RefusedCellsProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen && checked) return <CorrectionForm row={row} cells={cells} wrong={wrong} checked={checked} />;
  return (
    <Group gap="0.25rem 0.75rem" mt={4} c="dimmed" className={classes.cells}>
      {cells.map((cell, index) => {
        const Cell = wrong.includes(index) ? 'mark' : 'span';
        // oxlint-disable-next-line react/no-array-index-key -- A cell is its position.
        return <Cell key={index}>{cell || '(empty)'}</Cell>;
      })}
      {checked && (
        <Button variant="subtle" size="compact-md" onClick={() => setIsOpen(true)}>
          {`Correct row ${row.line}`}
        </Button>
      )}
    </Group>
  );
}

/** The fields of the animal. Other cells stay as they are. */
function CorrectionForm({ row: { line }, cells, wrong, checked }: RefusedCellsProps & { checked: CheckedState }) {
  const { columns = [] } = checked.file.settings;
  const [values, setValues] = useState(() => columns.map((_, index) => cells[index] ?? ''));
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    void correctRow(checked, line, values);
  };
  const shown = newPetFields
    .map((column) => ({ column, index: columns.indexOf(column) }))
    .filter(({ index }) => index !== -1);
  const first = shown.find(({ index }) => wrong.includes(index)) ?? shown[0];
  return (
    <Group component="form" gap="0.25rem 0.75rem" mt={4} align="end" onSubmit={save}>
      {shown.map(({ column, index }) => (
        <CellField
          key={column}
          column={column}
          value={values[index] ?? ''}
          error={wrong.includes(index)}
          // The person has just asked for it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={index === first?.index}
          onChange={(value) => setValues((earlier) => earlier.with(index, value))}
        />
      ))}
      <Button type="submit" variant="default">
        Check again
      </Button>
    </Group>
  );
}

function CellField({ column, onChange, ...props }: CellFieldProps & { column: keyof NewPet }) {
  const label = headings[column];
  if (column === 'categoryId') return <CategoryField description="" onChange={onChange} {...props} />;
  if (column === 'status') return <StatusSelect label={label} onChange={onChange} {...props} />;
  return <CellInput label={label} onChange={({ currentTarget }) => onChange(currentTarget.value)} {...props} />;
}
