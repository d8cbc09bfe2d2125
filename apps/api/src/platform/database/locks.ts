import { migrationLock } from '@petstore/migrate';

// Advisory locks share one range of numbers, so that all of them are here.

/** Held while a start migrates the database, or creates the first key. */
export const startLock = migrationLock;

/** Held while the key of `BOOTSTRAP_API_KEY` changes. Another start may hold `startLock` for long. */
export const bootstrapKeyLock = 72_707_370;

/** Held while one process prunes idempotency records. */
export const pruneLock = 72_707_371;

/** Held while a backup is written. */
export const backupLock = 72_707_372;
