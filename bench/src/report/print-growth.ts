import type { GrowthReport, GrowthRow } from '../growth/growth-report.js';
import { pagePlaces } from '../growth/grown-table.js';
import { median } from '../measure/statistics.js';
import { figure, megabytes, table, verdict } from './table.js';

/** Of the cost on the largest table to that on the smallest, but for the count. */
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
  return `${figures}\n\n${table(['cost', 'worst', 'goal', ''], verdicts(rows, countingRatios))}`;
}

function verdicts(rows: readonly GrowthRow[], countingRatios: readonly number[]): string[][] {
  const page = Math.max(...rows.flatMap(({ pageRatios }) => Object.values(pageRatios)));
  const create = Math.max(...rows.map(({ createRatio }) => createRatio));
  const memory = rows.map(({ residentBytes }) => residentBytes);
  const grown = Math.max(...memory) / Math.min(...memory);
  const countMs = Math.max(...rows.map((row) => row.countMs));
  const counting = median(countingRatios);
  return [
    ['a page, to the first of the smallest table', figure(page, 2), `≤ ${goals.page}`, verdict(page <= goals.page)],
    [
      'a create, to that on the smallest table',
      figure(create, 2),
      `≤ ${goals.create}`,
      verdict(create <= goals.create),
    ],
    ['memory of the service, most to least', figure(grown, 2), `≤ ${goals.memory}`, verdict(grown <= goals.memory)],
    ['the total, in ms', figure(countMs, 1), `≤ ${goals.countMs}`, verdict(countMs <= goals.countMs)],
    [
      'creates/s with counting to without',
      figure(counting, 2),
      `≥ ${goals.counting}`,
      verdict(counting >= goals.counting),
    ],
  ];
}
