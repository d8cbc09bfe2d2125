import { randomUUID } from 'node:crypto';
import { ExplainedError } from '@petstore/contracts';
import type pg from 'pg';

const rounds = 20;

/**
 * Rejects a connection pooler that gives each transaction another server connection, unless it keeps track of prepared
 * statements: PgBouncer does from version 1.21 on. Otherwise statements would fail at random.
 * @param connect opens a second connection.
 * @throws ExplainedError
 */
export async function checkPooler(client: pg.PoolClient, connect: () => Promise<pg.PoolClient>): Promise<void> {
  if (!(await isPooled(client))) return;
  const isShared = await shareServerConnections([client, await connect()]);
  if (!isShared || (await renamesStatements(client))) return;
  throw new ExplainedError(
    'The connection pooler shares server connections between transactions, but does not support prepared statements. ' +
      'Use PgBouncer 1.21 or newer with max_prepared_statements = 200, or pool_mode = session, or set DATABASE_URL to ' +
      'the server itself. See docs/postgresql.md, "PgBouncer".',
  );
}

/** Whether the connection goes through a pooler, which invents the process id that it gives to its clients. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { processID } = client as { processID?: number };
  return processID !== (await serverPid(client));
}

async function shareServerConnections(clients: readonly pg.PoolClient[]): Promise<boolean> {
  const users = new Map<number, pg.PoolClient>();
  for (let round = 0; round < rounds; round += 1) {
    for (const client of clients) {
      const pid = await serverPid(client);
      if ((users.get(pid) ?? client) !== client) return true;
      users.set(pid, client);
    }
  }
  return users.size > clients.length;
}

/** A pooler that keeps track of prepared statements gives them its own names on the server. */
async function renamesStatements(client: pg.PoolClient): Promise<boolean> {
  const name = `check ${randomUUID()}`;
  const text = 'SELECT FROM pg_prepared_statements WHERE name = $1';
  const { rowCount } = await client.query({ name, text, values: [name] });
  return rowCount === 0;
}

async function serverPid(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
