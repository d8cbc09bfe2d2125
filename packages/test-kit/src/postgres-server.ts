import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseUrl, prepareDirectory, startPostmaster } from '@petstore/embedded-postgres';
import type { Client, QueryResultRow } from 'pg';
import type { Cleanup } from './cleanup.js';
import { connect, execute } from './database.js';
import { postmasterPid, sendSignal, stopPostmaster } from './postmaster.js';
import { childrenOf } from './process-usage.js';
import { temporaryDirectory } from './temporary-directory.js';

type DataDirectory = Awaited<ReturnType<typeof prepareDirectory>>;

const defaultDatabase = 'petstore';

/** An embedded PostgreSQL server without the service. It can be stopped, frozen and restarted. */
export class PostgresServer {
  #isFrozen = false;

  private constructor(private readonly directory: DataDirectory) {}

  /** Starts a server with an empty database `petstore`. Settings are lines of postgresql.conf. */
  static async start(cleanup: Cleanup, settings: readonly string[] = []): Promise<PostgresServer> {
    const dataDir = await temporaryDirectory(cleanup);
    const directory = await prepareDirectory({ dataDir, log: () => undefined });
    await appendFile(join(directory.cluster, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
    const server = await cleanup.own(
      () => Promise.resolve(new PostgresServer(directory)),
      (created) => created.#shutDown(),
    );
    await server.start();
    return server;
  }

  /** The URL of a database, for the superuser. */
  url(database = defaultDatabase): string {
    const url = new URL(databaseUrl(this.directory.root));
    url.username = 'postgres';
    url.pathname = database;
    return url.href;
  }

  /** Resolves when the server accepts connections. */
  start(): Promise<void> {
    return startPostmaster(this.directory);
  }

  async stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const pid = await this.pid();
    if (pid !== 0) await stopPostmaster(pid, signal);
  }

  /** Restarts it as a standby, which serves reads only. `SELECT pg_promote()` turns it into a primary again. */
  async demote(): Promise<void> {
    await this.stop('SIGINT');
    await appendFile(join(this.directory.cluster, 'standby.signal'), '');
    await this.start();
  }

  /** Stops all processes of the server with SIGSTOP. */
  async freeze(): Promise<void> {
    this.#isFrozen = true;
    // Twice: the postmaster may have started another process before it was stopped itself.
    for (let time = 0; time < 2; time += 1) {
      for (const pid of await this.#processes()) sendSignal(pid, 'SIGSTOP');
    }
  }

  async thaw(): Promise<void> {
    this.#isFrozen = false;
    for (const pid of await this.#processes()) sendSignal(pid, 'SIGCONT');
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(database: string): Promise<string> {
    await this.query(`CREATE DATABASE ${database}`, 'postgres');
    return this.url(database);
  }

  /** Runs a statement on a new connection. */
  query<Row extends QueryResultRow>(sql: string, database = defaultDatabase): Promise<Row[]> {
    return execute(this.url(database), sql);
  }

  /** Opens a connection that the caller has to end. */
  connect(database = defaultDatabase): Promise<Client> {
    return connect(this.url(database));
  }

  /** The pid of the postmaster; 0 when the server does not run. */
  async pid(): Promise<number> {
    return (await postmasterPid(this.directory.cluster)) ?? 0;
  }

  async #processes(): Promise<number[]> {
    const pid = await this.pid();
    return pid === 0 ? [] : [pid, ...childrenOf(pid)];
  }

  async #shutDown(): Promise<void> {
    if (this.#isFrozen) await this.thaw();
    await this.stop('SIGQUIT');
  }
}
