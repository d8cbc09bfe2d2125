import { setTimeout as sleep } from 'node:timers/promises';
import type { WritingClients } from '../clients/writing-clients.js';
import { seconds } from '../tally.js';
import type { Cluster } from './cluster.js';
import type { DatabaseMachine } from './database-machine.js';
import { StaleReads } from './stale-reads.js';

/** The time in which late effects of a fault still appear. */
const settleMs = 3000;

export interface FaultContext {
  readonly cluster: Cluster;
  readonly clients: WritingClients;
}

/** A fault, until writes work again and the cause is repaired. Resolves to a figure that only this fault has. */
export interface ClusterFault {
  readonly name: string;
  run(context: FaultContext): Promise<string | undefined>;
}

export const clusterFaults: readonly ClusterFault[] = [
  { name: 'primary killed', run: killPrimary },
  { name: 'service killed', run: killService },
  { name: 'primary frozen', run: freezePrimary },
  { name: 'primary cut off', run: cutPrimaryOff },
];

async function killPrimary(context: FaultContext): Promise<undefined> {
  const primary = await context.cluster.primary();
  await primary.machine.crash();
  await untilReplaced(context, primary);
  primary.start();
}

async function killService({ cluster, clients }: FaultContext): Promise<undefined> {
  const service = cluster.services[0];
  await service?.crash();
  await sleep(settleMs);
  await clients.nextAcknowledged();
  await service?.start();
}

async function freezePrimary(context: FaultContext): Promise<undefined> {
  const primary = await context.cluster.primary();
  await primary.machine.freeze();
  await untilReplaced(context, primary);
  await primary.machine.thaw();
}

async function cutPrimaryOff(context: FaultContext): Promise<string> {
  const primary = await context.cluster.primary();
  const reads = new StaleReads(primary);
  const begin = performance.now();
  await primary.machine.cutOff();
  const writingAt = await untilReplaced(context, primary);
  await sleep(settleMs);
  const lastReadAt = await reads.finish();
  await primary.machine.reconnect();
  const staleMs = Math.max(0, lastReadAt - writingAt);
  return `read as primary for ${seconds(lastReadAt - begin)}, stale for ${seconds(staleMs)}`;
}

/** Waits until another machine is the primary and an animal is acknowledged. Returns that time. */
async function untilReplaced({ cluster, clients }: FaultContext, primary: DatabaseMachine): Promise<number> {
  await cluster.replaced(primary);
  await clients.nextAcknowledged();
  return performance.now();
}
