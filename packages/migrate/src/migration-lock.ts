import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError } from './migration-error.js';

/** The advisory lock of Prisma's migrations: nothing changes the schema while a session holds it. */
export const migrationLock = 72_707_369;

const pollMs = 200;

export interface LockOptions {
  lockTimeoutMs: number;
  log: (message: string) => void;
}

/**
 * Takes the lock for the session of `pool`, which holds it until it ends. Polls instead of waiting in the server: the
 * engine times out there after ten seconds, and a waiting statement would block CREATE INDEX CONCURRENTLY.
 */
export async function takeMigrationLock(pool: pg.Pool, { lockTimeoutMs, log }: LockOptions): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  for (let isLogged = false; !(await tryLock(pool)); isLogged = true) {
    if (!isLogged) log('Waiting for another process that is migrating the database.');
    if (performance.now() > deadline) throw lockHeld(lockTimeoutMs);
    await setTimeout(pollMs);
  }
}

async function tryLock(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
  return rows[0]?.taken === true;
}

function lockHeld(lockTimeoutMs: number): MigrationError {
  return new MigrationError(
    `Another process has held the migration lock for ${Math.round(lockTimeoutMs / 1000)} s. Restart when it has finished. ` +
      `To find its session: SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${migrationLock};`,
  );
}
