import type { ProcessesReport } from '../processes/processes-report.js';
import { figure, megabytes, table } from './table.js';

/** Two tables for docs/scaling.md. */
export function printProcesses({ rows, memory }: ProcessesReport): string {
  const figures = table(
    [
      'scenario',
      'processes',
      'requests/s',
      '÷ 1 process',
      'p99 ms',
      'service CPU s/1,000',
      'PostgreSQL CPU s/1,000',
      'busy CPUs of the load tool',
    ],
    rows.map((row) => [
      row.scenario,
      figure(row.processes),
      figure(row.requestsPerSecond),
      figure(row.ratio, 2),
      figure(row.p99Ms, 1),
      figure(row.serviceCpu, 3),
      figure(row.postgresCpu, 3),
      figure(row.loadShare, 2),
    ]),
  );
  const bytes = table(
    ['processes', 'MB each', 'MB of the process that starts them', 'MB together'],
    memory.map(({ processes, workerBytes, primaryBytes }) => [
      figure(processes),
      megabytes(workerBytes),
      megabytes(primaryBytes),
      megabytes(processes * workerBytes + primaryBytes),
    ]),
  );
  return `${figures}\n\n${bytes}`;
}
