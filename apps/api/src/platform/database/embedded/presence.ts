import type { Client } from 'pg';

/*
 * Who uses the embedded PostgreSQL is kept in PostgreSQL, as advisory locks of one session each: they go with their
 * process, however it ends. Everybody holds `present`, shared; one service holds `owner`.
 */
const present = '1885696883, 1';
const owner = '1885696883, 2';

/** Joins the users. `false` when the last of the others is just stopping PostgreSQL. */
export function enter(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock_shared(${present})`);
}

/** Leaves the users. `true` when nobody is left, and from now on nobody can enter: PostgreSQL is to be stopped. */
export async function leave(client: Client): Promise<boolean> {
  await client.query(`SELECT pg_advisory_unlock_shared(${present})`);
  return tryLock(client, `pg_try_advisory_lock(${present})`);
}

/** Takes the right to stop and to restart PostgreSQL, which one session can have. */
export function takeOwnership(client: Client): Promise<boolean> {
  return tryLock(client, `pg_try_advisory_lock(${owner})`);
}

/** Who has it, in words. */
export async function findOwner(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND (classid, objid) = (${owner})`,
  );
  return rows[0]?.name.replace('petstore-owner', 'process') ?? 'its process is unknown';
}

async function tryLock(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT ${lock} AS taken`);
  return rows[0]?.taken === true;
}
