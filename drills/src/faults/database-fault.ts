import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';

/** A fault of the database, and its end. */
export interface DatabaseFault {
  readonly name: string;
  /** What does not work during the fault. `undefined`: the fault ends immediately. */
  readonly stops: 'everything' | 'writes' | undefined;
  begin(postgres: PostgresServer): Promise<void>;
  end(postgres: PostgresServer): Promise<void>;
}

const nothing = () => Promise.resolve();
const ofService = `application_name LIKE 'petstore%'`;
const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofService}`;

export const databaseFaults: readonly DatabaseFault[] = [
  {
    name: 'stopped fast',
    stops: 'everything',
    begin: (postgres) => postgres.stop('SIGINT'),
    end: (postgres) => postgres.start(),
  },
  {
    name: 'stopped immediately',
    stops: 'everything',
    begin: (postgres) => postgres.stop('SIGQUIT'),
    end: (postgres) => postgres.start(),
  },
  { name: 'frozen', stops: 'everything', begin: (postgres) => postgres.freeze(), end: (postgres) => postgres.thaw() },
  {
    name: 'restarted',
    stops: undefined,
    begin: (postgres) => postgres.stop('SIGINT').then(() => postgres.start()),
    end: nothing,
  },
  { name: 'connections cut', stops: undefined, begin: cutConnections, end: nothing },
  exhaustion(),
  {
    name: 'read-only',
    stops: 'writes',
    begin: (postgres) => setReadOnly(postgres, true),
    end: (postgres) => setReadOnly(postgres, false),
  },
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

/** Other clients take every connection, including those of the service. */
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
      // Repeat if the service reconnected first.
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
