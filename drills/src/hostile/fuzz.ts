import fc from 'fast-check';
import { residentBytes } from '@petstore/processes/process-usage.js';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';
import { checkResponse } from './responses.js';
import { exchange } from './exchange.js';
import { mutations, type Paths, rawBytes, requests } from './requests.js';

const connections = 32;
const batch = 1000;
/** Incomplete requests get no response. Few of the generated ones are incomplete. */
const allowedSilence = 0.01;

/** The results of the random requests. */
export interface Fuzzed {
  /** Number of responses by status; 0: no response. */
  statuses: ReadonlyMap<number, number>;
  /** Memory of the service in bytes, after a tenth of the requests and after all. */
  early: number;
  late: number;
}

/** Sends random and mutated requests, each on its own connection. The seed determines all of them. */
export async function fuzz(service: Service, count: number, tally: Tally): Promise<Fuzzed> {
  const response = await service.fetch('/openapi.json');
  const whole = requests((await response.json()) as Paths);
  const any = fc.oneof({ weight: 5, arbitrary: whole }, { weight: 3, arbitrary: mutations(whole) }, rawBytes);
  const statuses = new Map<number, number>();
  let early = 0;
  for (let sent = 0; sent < count; sent += batch) {
    const batchRequests = fc.sample(any, { numRuns: Math.min(batch, count - sent), seed: sent });
    await withLimitedConcurrency(batchRequests, async (request) => {
      const { received, end } = await exchange(service.port, request);
      tally.expect(
        end === 'closed',
        `the connection was ${end}: ${JSON.stringify(request.toString('latin1', 0, 200))}`,
      );
      const status = checkResponse(received, request, tally) ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    if (early === 0 && sent + batch >= count / 10) early = residentBytes(service.pid);
  }
  const silent = statuses.get(0) ?? 0;
  tally.expect(silent <= allowedSilence * count, `${silent} of ${count} requests got no response`);
  return { statuses, early, late: residentBytes(service.pid) };
}

/** Processes at most `connections` items at a time. */
async function withLimitedConcurrency<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}
