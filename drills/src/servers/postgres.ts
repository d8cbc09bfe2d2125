import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { readFile, appendFile } from 'node:fs/promises';
import { Client, type QueryResultRow } from 'pg';
import { databaseUrl, prepareDirectory, startPostmaster, superuserUrl } from '@petstore/embedded-postgres';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { childrenOf } from '@petstore/processes/process-usage.js';
import { temporaryFolder } from './service.js';

type DataDirectory = Awaited<ReturnType<typeof prepareDirectory>>;

const startMs = 20_000;

/** A PostgreSQL server, as the service ships it, that a drill may stop, freeze and start again. */
export class PostgresServer {
  #isFrozen = false;

  private constructor(private readonly directory: DataDirectory) {}

  /** Runs with the database `petstore`, which is empty. Settings are lines of postgresql.conf. */
  static async start(cleanup: Cleanup, settings: readonly string[] = []): Promise<PostgresServer> {
    const dataDir = await temporaryFolder(cleanup);
    const directory = await prepareDirectory({ dataDir, log: () => undefined });
    await appendFile(join(directory.cluster, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    const make = async () => new PostgresServer(directory);
    const server = await cleanup.own(make, (made) => made.#shutDown());
    await server.start();
    await server.query('CREATE DATABASE petstore', 'postgres');
    return server;
  }

  /** For the service, and for pg, as the superuser. */
  url(database = 'petstore'): string {
    const url = new URL(superuserUrl(databaseUrl(this.directory.root)));
    url.pathname = database;
    return url.href;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    await startPostmaster(this.directory);
    for (const begin = Date.now(); ; await sleep(20)) {
      const failure = await this.query('SELECT', 'postgres').then(
        () => undefined,
        (error: Error) => error,
      );
      if (!failure) return;
      if (Date.now() - begin > startMs) throw failure;
    }
  }

  /** SIGINT ends the sessions and leaves tidy data ("fast"), SIGQUIT leaves the tidying to the next start. */
  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const pid = await this.pid();
    if (pid === 0) return;
    process.kill(pid, signal);
    while (isAlive(pid)) await sleep(20);
  }

  /** Stops the time of all its processes. */
  async freeze(): Promise<void> {
    this.#isFrozen = true;
    // Twice, because the first one, stopped first, may have started another while they were listed.
    for (let time = 0; time < 2; time += 1) {
      for (const pid of await this.#family()) signalTo(pid, 'SIGSTOP');
    }
  }

  async thaw(): Promise<void> {
    this.#isFrozen = false;
    for (const pid of await this.#family()) signalTo(pid, 'SIGCONT');
  }

  /** Runs a statement on a connection of its own. */
  async query<Row extends QueryResultRow>(sql: string, database = 'petstore'): Promise<Row[]> {
    const client = await this.connect(database);
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** To be ended by who asked for it. */
  async connect(database = 'petstore'): Promise<Client> {
    const connectionString = this.url(database);
    const client = new Client({ connectionString, application_name: 'drill', connectionTimeoutMillis: 5000 });
    // A connection that breaks is noticed by the next query.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Of its first process; 0 when it does not run. */
  async pid(): Promise<number> {
    const text = await readFile(join(this.directory.cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    return Number.parseInt(text, 10) || 0;
  }

  async #family(): Promise<number[]> {
    const pid = await this.pid();
    return pid === 0 ? [] : [pid, ...childrenOf(pid)];
  }

  async #shutDown(): Promise<void> {
    if (this.#isFrozen) await this.thaw();
    await this.stop('SIGQUIT');
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
