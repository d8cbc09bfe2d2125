import type { StorageReport } from '../storage/run-storage.js';
import { figure, table } from './table.js';

/** A table for docs/scaling.md. A byte per animal is a megabyte per million animals. */
export function printStorage({ animals, rows }: StorageReport): string {
  const head = [
    'MB per million animals, created',
    'table',
    'primary key',
    '(status, id)',
    'idempotency records',
    'WAL',
  ];
  const figures = table(
    head,
    rows.map(({ creates, ...row }) => [
      creates,
      ...[row.table, row.primaryKey, row.statusIndex, row.idempotencyRecords, row.wal].map((bytes) => figure(bytes)),
    ]),
  );
  return `${figures}\n\nMeasured with ${figure(animals)} animals per row, 64 clients.`;
}
