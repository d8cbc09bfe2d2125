import { runLoad } from '../load/load-process.js';
import { median } from '../measure/statistics.js';
import type { Result } from './result.js';
import { loadOf, type Stage, targetOf } from './stage.js';

/** Whether the ceiling is that of the servers, or only the load tool's. */
export interface LoadToolReport {
  /** Requests a second at the ceiling from one load process, and from two with half the connections each. */
  readonly oneProcess: number;
  readonly twoProcesses: number;
  /** CPUs that one load process kept busy, and the ceiling's process under it. */
  readonly loadShare: number;
  readonly ceilingShare: number;
  /** The ceiling was busier than the load process, and two of those got no more out of it. */
  readonly isFastEnough: boolean;
}

/** Loads the ceiling from two processes at once; `undefined` when nobody has met the ceiling. */
export async function checkLoadTool(stage: Stage, results: readonly Result[]): Promise<LoadToolReport | undefined> {
  const met = results.filter(({ target }) => target === 'ceiling').map(({ measured }) => measured);
  const scenario = stage.scenarios.find(({ targets }) => targets.includes('ceiling'));
  if (met.length === 0 || !scenario) return undefined;
  const ceiling = targetOf(stage, 'ceiling');
  const load = loadOf(stage, { connections: scenario.connections / 2 }, await scenario.exchanges(ceiling));
  const job = { ...load, port: ceiling.server.port };
  const both = await Promise.all([runLoad(job), runLoad(job)]);
  const oneProcess = median(met.map(({ requestsPerSecond }) => requestsPerSecond));
  const twoProcesses = both.reduce((sum, { answers, seconds }) => sum + answers / seconds, 0);
  const loadShare = median(met.map((measured) => measured.loadShare));
  const ceilingShare = median(met.map(({ serverShare }) => serverShare));
  const isFastEnough = loadShare < ceilingShare && twoProcesses < oneProcess * 1.1;
  return { oneProcess, twoProcesses, loadShare, ceilingShare, isFastEnough };
}
