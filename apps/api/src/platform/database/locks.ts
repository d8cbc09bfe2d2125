export { migrationLock } from '@petstore/migrate';

/** Held while the key of `BOOTSTRAP_API_KEY` changes. The migration lock may be held for long. */
export const bootstrapKeyLock = 72_707_370;
