import { Button, NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { download } from '../../shared/download.js';
import { formatCount } from '../../shared/format.js';
import classes from './import.module.css';
import type { ImportFile } from './import-database.js';
import { importWorker } from './import-session.js';
import { type RowResult, rowStateLabels } from './import-rows.js';
import type { CheckedState } from './import-state.js';
import { RefusedCells } from './refused-cells.js';
import { count } from './run-import.js';

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
      <div className={classes.buttons}>
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
        {filters.includes('refused') && (
          <Button variant="default" onClick={() => void downloadRefused(file, rows)}>
            Download refused rows
          </Button>
        )}
      </div>
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
          <th scope="col">Line</th>
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
  if (row.state === 'added') return <PetLink id={row.petId}>{label} as number</PetLink>;
  if ('reason' in row) return `${label}: ${row.reason}`;
  if (row.state === 'leftOut') return label;
  return (
    <>
      <bdi>{row.name}</bdi>:{' '}
      {row.state === 'existing' ? (
        <PetLink id={row.petId}>already in the store as number</PetLink>
      ) : (
        'more than once in this file'
      )}
    </>
  );
}

function PetLink({ id, children }: { id: bigint; children: ReactNode }) {
  return (
    <Link to="/pets/$petId" params={{ petId: String(id) }} preload={false}>
      {children} {String(id)}
    </Link>
  );
}

function PageButtons(props: { page: number; pageCount: number; onChange: (page: number) => void }) {
  const { page, pageCount, onChange } = props;
  if (pageCount < 2) return null;
  return (
    <nav className={classes.buttons} aria-label="Pages of results">
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
      <span>
        Page {formatCount(page + 1)} of {formatCount(pageCount)}
      </span>
    </nav>
  );
}

async function downloadRefused(file: ImportFile, rows: readonly RowResult[]): Promise<void> {
  const reasons = new Map(rows.flatMap((row) => (row.state === 'refused' ? [[row.line, row.reason]] : [])));
  download('refused-rows.csv', await importWorker().refusedRows(file, reasons));
}
