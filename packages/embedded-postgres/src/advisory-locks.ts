import type { Client } from 'pg';

/*
 * Session-level advisory locks in PostgreSQL record which processes use it. PostgreSQL releases them when a process
 * ends, however it ends. Each process holds `attached` as a shared lock; one service also holds `supervisor`.
 */
// The first number keeps them apart from the locks of other programs.
const attached = '1885696883, 1';
const supervisor = '1885696883, 2';

/** Returns `false` while the last process is stopping PostgreSQL. */
export function attach(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock_shared(${attached})`);
}

/** Returns `true` for the last process. No other process can then attach, and this one must stop PostgreSQL. */
export async function detach(client: Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${attached})`);
  return tryLock(client, `pg_try_advisory_lock(${attached})`);
}

/** Takes the right to stop and restart PostgreSQL, which one process can hold. */
export function lockSupervisor(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock(${supervisor})`);
}

/** The application name of the process that holds the supervisor lock. */
export async function findSupervisor(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND (classid, objid) = (${supervisor})`,
  );
  return rows[0]?.name.replace('petstore-service', 'process') ?? 'unknown process';
}

async function tryLock(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`);
  return rows[0]?.taken === true;
}
