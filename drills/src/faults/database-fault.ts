import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';

/** A way in which a database goes wrong, and comes back. */
export interface DatabaseFault {
  readonly name: string;
  /** What of the service does not work meanwhile. A fault that is over at once says nothing. */
  readonly stops: 'everything' | 'writes' | undefined;
  begin(postgres: PostgresServer): Promise<void>;
  end(postgres: PostgresServer): Promise<void>;
}

const nothing = () => Promise.resolve();
const ofService = `application_name LIKE 'petstore%'`;
const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService}`;

export const databaseFaults: readonly DatabaseFault[] = [
  { name: 'stopped fast', stops: 'everything', begin: (it) => it.stop('SIGINT'), end: (it) => it.start() },
  { name: 'stopped at once', stops: 'everything', begin: (it) => it.stop('SIGQUIT'), end: (it) => it.start() },
  { name: 'frozen', stops: 'everything', begin: (it) => it.freeze(), end: (it) => it.thaw() },
  { name: 'restarted', stops: undefined, begin: (it) => it.stop('SIGINT').then(() => it.start()), end: nothing },
  { name: 'connections cut', stops: undefined, begin: cutConnections, end: nothing },
  exhaustion(),
  { name: 'read-only', stops: 'writes', begin: (it) => setReadOnly(it, true), end: (it) => setReadOnly(it, false) },
];

async function cutConnections(postgres: PostgresServer): Promise<void> {
  const client = await postgres.connect();
  for (let time = 0; time < 10; time += 1) {
    await client.query(terminate);
    await sleep(50);
  }
  await client.end();
}

async function setReadOnly(postgres: PostgresServer, isReadOnly: boolean): Promise<void> {
  const client = await postgres.connect();
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** Others take every connection there is, those of the service too. */
function exhaustion(): DatabaseFault {
  let taken: Client[] = [];
  const takeAll = async (postgres: PostgresServer) => {
    for (;;) {
      const client = await postgres.connect().catch(() => undefined);
      if (!client) return;
      taken.push(client);
    }
  };
  return {
    name: 'no connection left',
    stops: 'everything',
    async begin(postgres) {
      taken = [await postgres.connect()];
      // Whenever the service was quicker to come back than we were to take its place.
      for (let left = 1; left > 0;) {
        await taken[0]?.query(terminate);
        await takeAll(postgres);
        left = (await taken[0]?.query(`SELECT FROM pg_stat_activity WHERE ${ofService}`))?.rowCount ?? 0;
      }
    },
    async end() {
      await Promise.all(taken.splice(0).map((client) => client.end()));
    },
  };
}
