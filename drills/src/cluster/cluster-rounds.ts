import { setTimeout as sleep } from 'node:timers/promises';
import { PetstoreClient } from '@petstore/client';
import { apiKey } from '@petstore/processes/service-process.js';
import { audit } from '../clients/audit.js';
import { WritingClients } from '../clients/writing-clients.js';
import { number, seconds, type Tally } from '../tally.js';
import { Cluster } from './cluster.js';
import { type ClusterFault, clusterFaults, type FaultContext } from './cluster-faults.js';
import { ReadingClients } from './reading-clients.js';

const writers = 4;
const readers = 2;
/** Between the requests of a writer, to bound their number. */
const pauseMs = 50;
/** The time in which everything works, before each fault. */
const workingMs = 2000;

interface Setup extends FaultContext {
  readonly reading: ReadingClients;
  readonly tally: Tally;
}

interface FaultResult {
  readonly name: string;
  readonly writeGapMs: number;
  readonly readGapMs: number;
  /** A figure that only this fault has. */
  readonly figure: string;
}

/** Runs each fault `rounds` times, while clients write and read through the proxy. */
export async function runRounds(directory: string, rounds: number, tally: Tally): Promise<void> {
  const cluster = await Cluster.start(directory);
  const clients = new WritingClients({ clientOf: (_, options) => createClient(options, pauseMs), writers, tally });
  const client = createClient({ retries: 0, fetch: clients.responses.fetch });
  const reading = new ReadingClients({ client, readers, newest: () => clients.newest, tally });
  const setup = { cluster, clients, reading, tally };
  const results: FaultResult[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const fault of clusterFaults) results.push(await runFault(setup, fault));
  }
  await reading.finish();
  await audit(createClient(), await clients.finish(), tally);
  console.log(printTable(results));
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
  const figure = (await fault.run(setup)) ?? '';
  await cluster.primary();
  console.log(`${fault.name} and repaired`);
  return { name: fault.name, writeGapMs: tally.longestGapMs, readGapMs: reading.longestGapMs, figure };
}

/** The table of deploy/cluster/README.md: a row for each fault, with the figures of all rounds. */
function printTable(results: readonly FaultResult[]): string {
  const rows = clusterFaults.map(({ name }) => {
    const rounds = results.filter((result) => result.name === name);
    const list = (figure: (result: FaultResult) => string) =>
      rounds
        .map(figure)
        .filter((text) => text !== '')
        .join(', ');
    const gaps = [list(({ writeGapMs }) => seconds(writeGapMs)), list(({ readGapMs }) => seconds(readGapMs))];
    return `| ${[name, ...gaps, list(({ figure }) => figure)].join(' | ')} |`;
  });
  return ['| fault | longest gap of writes | longest gap of reads | also |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
