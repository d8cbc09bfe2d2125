import type { GrowthReport, GrowthRow } from '../growth/growth-report.js';
import { pagePlaces } from '../growth/grown-table.js';
import { median } from '../measure/statistics.js';
import { figure, megabytes, table, goalStatus } from './table.js';

/** Cost on the largest table relative to the smallest, except for the count. */
const goals = { page: 1.2, create: 1.3, memory: 1.1, countMs: 20, counting: 0.95 };

export function printGrowth({ rows, countingRatios }: GrowthReport): string {
  const head = ['animals', 'filled s', 'first ms', 'middle ms', 'last ms', 'creates/s', 'count ms', 'memory MB'];
  const figures = table(
    head,
    rows.map((row) => [
      figure(row.animals),
      figure(row.fillSeconds),
      ...pagePlaces.map((place) => figure(row.pagesMs[place], 2)),
      figure(row.createsPerSecond),
      figure(row.countMs, 1),
      megabytes(row.residentBytes),
    ]),
  );
  return `${figures}\n\n${table(['cost', 'worst', 'goal', ''], goalRows(rows, countingRatios))}`;
}

function goalRows(rows: readonly GrowthRow[], countingRatios: readonly number[]): string[][] {
  const page = Math.max(...rows.flatMap(({ pageRatios }) => Object.values(pageRatios)));
  const create = Math.max(...rows.map(({ createRatio }) => createRatio));
  const memory = rows.map(({ residentBytes }) => residentBytes);
  const grown = Math.max(...memory) / Math.min(...memory);
  const countMs = Math.max(...rows.map((row) => row.countMs));
  const counting = median(countingRatios);
  return [
    [
      'page time, relative to the first page of the smallest table',
      figure(page, 2),
      `≤ ${goals.page}`,
      goalStatus(page <= goals.page),
    ],
    [
      'create time, relative to the smallest table',
      figure(create, 2),
      `≤ ${goals.create}`,
      goalStatus(create <= goals.create),
    ],
    [
      'memory of the service, maximum relative to minimum',
      figure(grown, 2),
      `≤ ${goals.memory}`,
      goalStatus(grown <= goals.memory),
    ],
    ['time of a count in ms', figure(countMs, 1), `≤ ${goals.countMs}`, goalStatus(countMs <= goals.countMs)],
    [
      'creates/s with counting, relative to those without',
      figure(counting, 2),
      `≥ ${goals.counting}`,
      goalStatus(counting >= goals.counting),
    ],
  ];
}
