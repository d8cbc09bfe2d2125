import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type NewPet, newPetFields } from '@petstore/contracts';
import { type ChangeEvent, type SubmitEvent, useState } from 'react';
import { CategoryField } from '../../shared/category-field.js';
import { download } from '../../shared/download.js';
import { formatCount } from '../../shared/format.js';
import { PetLink } from '../../shared/links.js';
import { headings } from '../../shared/pet-parts.js';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { type CheckedState, correctRow, importWorker, refusalReasons } from './import-session.js';
import { type RefusedRow, type RowResult, rowStateLabels } from './import-rows.js';
import { count } from './run-import.js';
import { statusChoices } from './wrong-values.js';

const pageSize = 50;
const states = ['refused', 'unknown', 'existing', 'repeated', 'added', 'leftOut'] as const;

interface RowResultsProps {
  file: ImportFile;
  rows: readonly RowResult[];
  /** Before the import, a person can correct the rows. */
  checked?: CheckedState;
}

/** The result of each row, in pages: thousands of rows at once would be slow. */
export function RowResults({ file, rows, checked }: RowResultsProps) {
  const [filter, setFilter] = useState('');
  const [page, setPage] = useState(0);
  const shown = filter === '' ? rows : rows.filter(({ state }) => state === filter);
  const filters = states.filter((state) => count(rows, state) > 0);
  const options = filters.map((state) => ({
    value: state,
    label: `${rowStateLabels[state]} (${formatCount(count(rows, state))})`,
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
        {!checked && filters.includes('refused') && (
          <Button variant="default" onClick={() => void downloadRefused(file, rows)}>
            Download refused rows
          </Button>
        )}
      </Group>
      <ResultTable rows={shown.slice(page * pageSize, (page + 1) * pageSize)} checked={checked} />
      <PageButtons page={page} pageCount={Math.ceil(shown.length / pageSize)} onChange={setPage} />
    </>
  );
}

function ResultTable({ rows, checked }: { rows: readonly RowResult[]; checked: CheckedState | undefined }) {
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
              {row.state === 'refused' && row.cells && <RefusedCells row={row} cells={row.cells} checked={checked} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ResultText({ row }: { row: RowResult }) {
  const label = rowStateLabels[row.state];
  if (row.state === 'added') return <AnimalLink id={row.petId}>{`${label} as number`}</AnimalLink>;
  if ('reason' in row) return <span>{`${label}: ${row.reason}`}</span>;
  if (row.state === 'leftOut') return <span>{label}</span>;
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
  download('refused-rows.csv', await importWorker().refusedRows(file, refusalReasons(rows)));
}

interface RefusedCellsProps {
  row: RefusedRow;
  cells: readonly string[];
  /** Without it, the import has begun: its refused rows become another one. */
  checked: CheckedState | undefined;
}

/** The row of the file, with the wrong cells marked. */
function RefusedCells({ row, cells, checked }: RefusedCellsProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen && checked) return <CorrectionForm row={row} cells={cells} checked={checked} />;
  return (
    <Group gap="0.25rem 0.75rem" mt={4} c="dimmed" className={classes.cells}>
      {cells.map((cell, index) => {
        const Cell = row.wrong.includes(index) ? 'mark' : 'span';
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
function CorrectionForm({ row: { line, wrong }, cells, checked }: RefusedCellsProps & { checked: CheckedState }) {
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

interface CellFieldProps {
  column: keyof NewPet;
  value: string;
  error: boolean;
  autoFocus: boolean;
  onChange: (value: string) => void;
}

function CellField({ column, onChange, value, ...props }: CellFieldProps) {
  if (column === 'categoryId') return <CategoryField description="" value={value} onChange={onChange} {...props} />;
  if (column === 'status') {
    const status = statusChoices.find((choice) => choice.value === value.trim().toLowerCase());
    const change = ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => onChange(currentTarget.value);
    return (
      <NativeSelect label="Status" data={statusChoices} value={status?.value ?? ''} onChange={change} {...props} />
    );
  }
  return (
    <TextInput
      label={headings[column]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
