import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { migrationLock } from '../locks.js';
import { MigrationError } from './migration-error.js';

const pollMs = 200;

export interface Patience {
  lockTimeoutMs: number;
  log: (message: string) => void;
}

/**
 * Takes the engine's advisory lock for the session of `pool`, which holds it until it ends. Asks again and again
 * instead of waiting in the server, because the engine gives up after ten seconds there.
 */
export async function takeMigrationLock(pool: pg.Pool, { lockTimeoutMs, log }: Patience): Promise<void> {
  const deadline = performance.now() + lockTimeoutMs;
  for (let told = false; !(await tryLock(pool)); told = true) {
    if (!told) log('Waiting for another process that is migrating the database.');
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
    `Another process has held the lock of the migrations for ${Math.round(lockTimeoutMs / 1000)} s. Start again when it has ` +
      'finished; pg_locks names the session of a process that hangs: ' +
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${migrationLock};`,
  );
}
