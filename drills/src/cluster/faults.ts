import { setTimeout as sleep } from 'node:timers/promises';
import { PetstoreClient } from '@petstore/client';
import { apiKey } from '@petstore/processes/service-process.js';
import { audit, WritingClients } from '../clients/writing-clients.js';
import { number, seconds, type Tally } from '../tally.js';
import { Cluster, startService } from './cluster.js';
import type { Machine } from './machine.js';

const writers = 4;
const readers = 2;
/** Between the requests of a client, to bound their number. */
const pauseMs = 50;
/** The time in which everything works, before each fault. */
const workingMs = 2000;

interface Setup {
  readonly cluster: Cluster;
  readonly clients: WritingClients;
  readonly reading: ReadingClients;
  readonly tally: Tally;
}

interface FaultResult {
  readonly writeGapMs: number;
  readonly readGapMs: number;
}

/** Runs each fault `rounds` times, while clients write and read through the proxy. */
export async function runRounds(directory: string, rounds: number, tally: Tally): Promise<void> {
  const cluster = await Cluster.create(directory);
  try {
    await cluster.start();
    await runFaults(cluster, rounds, tally);
  } catch (error) {
    console.error(cluster.output);
    throw error;
  }
}

async function runFaults(cluster: Cluster, rounds: number, tally: Tally): Promise<void> {
  const clients = new WritingClients({ clientOf: (_, options) => createClient(options, pauseMs), writers, tally });
  const client = createClient({ retries: 0, fetch: clients.responses.fetch });
  const reading = new ReadingClients(client, clients, tally);
  const setup = { cluster, clients, reading, tally };
  const results: FaultResult[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of Object.keys(faults)) results.push(await runFault(setup, name));
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

async function runFault(setup: Setup, name: string): Promise<FaultResult> {
  const { cluster, clients, reading, tally } = setup;
  await sleep(workingMs);
  await clients.nextAcknowledged();
  [tally.longestGapMs, reading.longestGapMs] = [0, 0];
  await faults[name]?.(setup);
  await cluster.primary();
  const { longestGapMs: writeGapMs } = tally;
  const { longestGapMs: readGapMs } = reading;
  console.log(`${name}, no writes for ${seconds(writeGapMs)}, no reads for ${seconds(readGapMs)}`);
  return { writeGapMs, readGapMs };
}

/** The time in which late effects of a fault still appear. */
const settleMs = 3000;

/** Each runs until writes work again and the cause is repaired. */
const faults: Readonly<Record<string, (setup: Setup) => Promise<void>>> = {
  'primary killed': killPrimary,
  'service killed': killService,
  'primary frozen': freezePrimary,
  'primary cut off': cutPrimaryOff,
};

async function killPrimary(setup: Setup): Promise<void> {
  const primary = await setup.cluster.primary();
  await primary.crash();
  await untilReplaced(setup, primary);
  primary.start();
}

async function killService({ cluster, clients }: Setup): Promise<void> {
  const [service] = cluster.services as readonly [Machine];
  await service.crash();
  await sleep(settleMs);
  await clients.nextAcknowledged();
  await startService(service);
}

async function freezePrimary(setup: Setup): Promise<void> {
  const primary = await setup.cluster.primary();
  await primary.freeze();
  await untilReplaced(setup, primary);
  await primary.thaw();
}

async function cutPrimaryOff(setup: Setup): Promise<void> {
  const primary = await setup.cluster.primary();
  await primary.cutOff();
  await untilReplaced(setup, primary);
  await sleep(settleMs);
  await primary.reconnect();
}

/** Waits until another machine is the primary and an animal is acknowledged. */
async function untilReplaced({ cluster, clients }: Setup, primary: Machine): Promise<void> {
  await cluster.replaced(primary);
  await clients.nextAcknowledged();
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
