import { runLoad } from '../load/load-process.js';
import { median } from '../measure/statistics.js';
import type { Result } from './result.js';
import { loadOf, type Setup, targetOf } from './setup.js';

/** Whether the ceiling is limited by its server, and not by the load tool. */
export interface LoadToolReport {
  /** Requests per second of the ceiling from one load process, and from two with half the connections each. */
  readonly oneProcess: number;
  readonly twoProcesses: number;
  /** Average number of busy CPUs: of the load process, and of the ceiling's process. */
  readonly loadShare: number;
  readonly ceilingShare: number;
  /** The ceiling used more CPU than the load process, and two load processes were no faster. */
  readonly isFastEnough: boolean;
}

/** Loads the ceiling from two processes. Returns `undefined` if no scenario measured the ceiling. */
export async function checkLoadTool(setup: Setup, results: readonly Result[]): Promise<LoadToolReport | undefined> {
  const ceilingResults = results.filter(({ target }) => target === 'ceiling').map(({ measured }) => measured);
  const scenario = setup.scenarios.find(({ targets }) => targets.includes('ceiling'));
  if (ceilingResults.length === 0 || !scenario) return undefined;
  const ceiling = targetOf(setup, 'ceiling');
  const load = loadOf(setup, { connections: scenario.connections / 2 }, await scenario.exchanges(ceiling));
  const job = { ...load, port: ceiling.server.port };
  const both = await Promise.all([runLoad(job), runLoad(job)]);
  const oneProcess = median(ceilingResults.map(({ requestsPerSecond }) => requestsPerSecond));
  const twoProcesses = both.reduce((sum, { responses, seconds }) => sum + responses / seconds, 0);
  const loadShare = median(ceilingResults.map((measured) => measured.loadShare));
  const ceilingShare = median(ceilingResults.map(({ serverShare }) => serverShare));
  const isFastEnough = loadShare < ceilingShare && twoProcesses < oneProcess * 1.1;
  return { oneProcess, twoProcesses, loadShare, ceilingShare, isFastEnough };
}
