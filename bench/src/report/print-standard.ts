import { memoryGoal } from '../standard/goals.js';
import type { LoadToolReport } from '../standard/load-tool-check.js';
import type { MemoryReport } from '../standard/memory-run.js';
import type { Ratio, Row, StandardReport } from '../standard/standard-report.js';
import { figure, megabytes, table, goalStatus } from './table.js';

/** The maximum growth in the second half of the load that counts as flat. */
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
    ['service relative to', 'scenario', 'metric', 'ratio', 'rounds', 'goal', ''],
    ratios.map(({ against, scenario, of, median, rounds, bound, isReached }) => [
      against,
      scenario,
      names[of],
      figure(median, 2),
      `${figure(Math.min(...rounds), 2)} to ${figure(Math.max(...rounds), 2)}`,
      'atLeast' in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`,
      goalStatus(isReached),
    ]),
  );
}

function printLoadTool({ oneProcess, twoProcesses, loadShare, ceilingShare, isFastEnough }: LoadToolReport): string {
  return (
    `Load tool: it used ${figure(loadShare, 2)} CPUs and the ceiling used ${figure(ceilingShare, 2)}; ` +
    `one load process reached ${figure(oneProcess)} requests/s, two reached ${figure(twoProcesses)}: ` +
    (isFastEnough ? 'ok, it is not the bottleneck.' : 'missed, it may be the bottleneck.')
  );
}

function printMemory({ seconds, start, middle, end, peak }: MemoryReport): string {
  return (
    `Memory of the service, ${seconds} s with all scenarios at once: ${megabytes(start)} MB at the start, ` +
    `${megabytes(middle)} in the middle, ${megabytes(end)} at the end (flat: ${goalStatus(end <= middle * flat)}), ` +
    `peak ${megabytes(peak)} MB (≤ ${memoryGoal}: ${goalStatus(peak <= memoryGoal * 1e6)}).`
  );
}
