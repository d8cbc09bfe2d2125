import { setTimeout as sleep } from 'node:timers/promises';
import { PetstoreClient } from '@petstore/client';
import { apiKey } from '@petstore/processes/service-process.js';
import type { Client } from 'pg';
import { audit, WritingClients } from '../clients/writing-clients.js';
import { number, seconds, type Tally } from '../tally.js';
import { Cluster } from './cluster.js';
import type { DatabaseMachine } from './machines.js';

const writers = 4;
const readers = 2;
/** Between the requests of a client, to bound their number. */
const pauseMs = 50;
/** The time in which everything works, before each fault. */
const workingMs = 2000;

interface Setup extends FaultContext {
  readonly reading: ReadingClients;
  readonly tally: Tally;
}

interface FaultResult {
  readonly writeGapMs: number;
  readonly readGapMs: number;
}

/** Runs each fault `rounds` times, while clients write and read through the proxy. */
export async function runRounds(directory: string, rounds: number, tally: Tally): Promise<void> {
  const cluster = await Cluster.start(directory);
  const clients = new WritingClients({ clientOf: (_, options) => createClient(options, pauseMs), writers, tally });
  const client = createClient({ retries: 0, fetch: clients.responses.fetch });
  const reading = new ReadingClients(client, clients, tally);
  const setup = { cluster, clients, reading, tally };
  const results: FaultResult[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const fault of clusterFaults) results.push(await runFault(setup, fault));
  }
  await reading.finish();
  await audit(createClient(), await clients.finish(), tally);
  tally.longestGapMs = Math.max(...results.map(({ writeGapMs }) => writeGapMs));
  const readGapMs = Math.max(...results.map((result) => result.readGapMs));
  tally.note(`longest gap of reads ${seconds(readGapMs)}, ${results.length} faults, ${number(reading.reads)} reads`);
}

type ClientOptions = Partial<ConstructorParameters<typeof PetstoreClient>[0]>;

function createClient(options: ClientOptions = {}, pause = 0): PetstoreClient {
  const { fetch = globalThis.fetch } = options;
  const slow: typeof fetch = async (...request) => {
    await sleep(pause);
    return fetch(...request);
  };
  return new PetstoreClient({ baseUrl: 'http://proxy:3000/v1', apiKey, ...options, fetch: slow });
}

async function runFault(setup: Setup, fault: ClusterFault): Promise<FaultResult> {
  const { cluster, clients, reading, tally } = setup;
  await sleep(workingMs);
  await clients.nextAcknowledged();
  [tally.longestGapMs, reading.longestGapMs] = [0, 0];
  const figure = await fault.run(setup);
  await cluster.primary();
  const { longestGapMs: writeGapMs } = tally;
  const { longestGapMs: readGapMs } = reading;
  const gaps = `no writes for ${seconds(writeGapMs)}, no reads for ${seconds(readGapMs)}`;
  console.log([fault.name, gaps, ...(figure === undefined ? [] : [figure])].join(', '));
  return { writeGapMs, readGapMs };
}

/** The time in which late effects of a fault still appear. */
const settleMs = 3000;

interface FaultContext {
  readonly cluster: Cluster;
  readonly clients: WritingClients;
}

/** A fault, until writes work again and the cause is repaired. Resolves to a figure that only this fault has. */
interface ClusterFault {
  readonly name: string;
  run(context: FaultContext): Promise<string | undefined>;
}

const clusterFaults: readonly ClusterFault[] = [
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

/** Readers that look for the newest animal. Each read must find what was acknowledged before it. */
class ReadingClients {
  reads = 0;
  longestGapMs = 0;
  #lastAt = performance.now();
  #isFinishing = false;
  readonly #running: Promise<void>[];

  constructor(
    private readonly client: PetstoreClient,
    private readonly writing: WritingClients,
    private readonly tally: Tally,
  ) {
    this.#running = Array.from({ length: readers }, () => this.#read());
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
  }

  async #read(): Promise<void> {
    while (!this.#isFinishing) {
      await sleep(pauseMs);
      const { newest } = this.writing;
      if (newest === undefined) continue;
      try {
        this.#count((await this.client.getPet(newest)) !== undefined);
      } catch {
        // The gap shows how long reads failed.
      }
    }
  }

  #count(isCurrent: boolean): void {
    const now = performance.now();
    this.tally.expect(isCurrent, 'a read did not find an acknowledged animal');
    this.reads += 1;
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt);
    this.#lastAt = now;
  }
}

const readSql = 'SELECT pg_is_in_recovery() AS standby, (SELECT max(id) FROM pet)';

/** Reads from a database machine again and again, from inside, to find out how long it behaves as the primary. */
class StaleReads {
  #lastAt = performance.now();
  #isFinishing = false;
  readonly #running: Promise<void>;

  constructor(private readonly database: DatabaseMachine) {
    this.#running = this.#read();
  }

  /** Stops reading. Returns when the machine last served a read as the primary. */
  async finish(): Promise<number> {
    this.#isFinishing = true;
    await this.#running;
    return this.#lastAt;
  }

  async #read(): Promise<void> {
    let client: Client | undefined;
    for (; !this.#isFinishing; await sleep(pauseMs)) {
      try {
        client ??= await this.database.connect();
        const { rows } = await client.query<{ standby: boolean }>(readSql);
        if (rows[0]?.standby === false) this.#lastAt = performance.now();
      } catch {
        void client?.end().catch(() => undefined);
        client = undefined;
      }
    }
    await client?.end();
  }
}
