import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startEmbeddedPostgres, superuserUrl } from '@petstore/embedded-postgres';
import type { Cleanup } from '@petstore/processes/cleanup.js';

/** The files of the built service. */
export const serviceFolder = fileURLToPath(new URL('../../../apps/api/dist/', import.meta.url));

/** The PostgreSQL that all work with, as the service ships it, in a temporary folder. */
export class DatabaseServer {
  private constructor(
    private readonly baseUrl: string,
    /** Of PostgreSQL's first process, the parent of all others. */
    readonly pid: number,
    private readonly cleanup: Cleanup,
  ) {}

  static async start(cleanup: Cleanup): Promise<DatabaseServer> {
    const dataDir = await cleanup.own(
      () => mkdtemp(join(tmpdir(), 'petstore-bench-')),
      (folder) => rm(folder, { recursive: true, force: true }),
    );
    const { url } = await cleanup.own(
      () => startEmbeddedPostgres({ dataDir, log: () => undefined }),
      (postgres) => postgres.close(),
    );
    const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
    return new DatabaseServer(superuserUrl(url), pid, cleanup);
  }

  url(database: string): string {
    const url = new URL(this.baseUrl);
    url.pathname = database;
    return url.href;
  }

  /** Makes an empty database and returns a connection to it. */
  async create(database: string): Promise<Client> {
    const client = await this.connect('postgres');
    await client.query(`CREATE DATABASE ${database}`);
    await client.end();
    return this.connect(database);
  }

  private connect(database: string): Promise<Client> {
    return this.cleanup.own(
      () => connect(this.url(database)),
      (client) => client.end(),
    );
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: 'petstore-bench' });
  // A connection that breaks is noticed by the next query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
