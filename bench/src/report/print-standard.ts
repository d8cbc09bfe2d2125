import { memoryGoal } from '../standard/goals.js';
import type { LoadToolReport } from '../standard/load-tool-check.js';
import type { MemoryReport } from '../standard/memory-run.js';
import type { Ratio, Row, StandardReport } from '../standard/standard-report.js';
import { figure, megabytes, table, verdict } from './table.js';

/** How much a process may grow in the second half of its load and still count as flat. */
const flat = 1.05;

export function printStandard({ rows, ratios, loadTool, memory }: StandardReport): string {
  return [
    printRows(rows),
    printRatios(ratios),
    ...(loadTool ? [printLoadTool(loadTool)] : []),
    ...(memory ? [printMemory(memory)] : []),
  ].join('\n\n');
}

function printRows(rows: readonly Row[]): string {
  const head = ['scenario', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU s/1,000', 'PostgreSQL s/1,000', 'peak MB'];
  return table(
    head,
    rows.map((row) => [
      row.scenario,
      row.target,
      figure(row.requestsPerSecond),
      figure(row.p50Ms, 2),
      figure(row.p99Ms, 2),
      figure(row.serverCpu, 3),
      figure(row.postgresCpu, 3),
      megabytes(row.peakBytes),
    ]),
  );
}

function printRatios(ratios: readonly Ratio[]): string {
  const names = { requestsPerSecond: 'requests/s', p50Ms: 'p50', p99Ms: 'p99' };
  return table(
    ['service against', 'scenario', 'of', 'ratio', 'rounds', 'goal', ''],
    ratios.map(({ against, scenario, of, median, rounds, bound, isReached }) => [
      against,
      scenario,
      names[of],
      figure(median, 2),
      `${figure(Math.min(...rounds), 2)} to ${figure(Math.max(...rounds), 2)}`,
      'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`,
      verdict(isReached),
    ]),
  );
}

function printLoadTool({ oneProcess, twoProcesses, loadShare, ceilingShare, isFastEnough }: LoadToolReport): string {
  return (
    `Load tool: at the ceiling it used ${figure(loadShare, 2)} of a CPU and the ceiling ${figure(ceilingShare, 2)}; ` +
    `one load process got ${figure(oneProcess)} requests/s, two got ${figure(twoProcesses)}: ` +
    (isFastEnough ? 'ok, it is not what limits.' : 'short, it may be what limits the ceiling.')
  );
}

function printMemory({ seconds, start, middle, end, peak }: MemoryReport): string {
  return (
    `Memory of the service, ${seconds} s of all loads at once: ${megabytes(start)} MB at the start, ` +
    `${megabytes(middle)} in the middle, ${megabytes(end)} at the end (flat: ${verdict(end <= middle * flat)}), ` +
    `${megabytes(peak)} at most (≤ ${memoryGoal}: ${verdict(peak <= memoryGoal * 1e6)}).`
  );
}
