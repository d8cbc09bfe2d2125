import { env } from 'node:process';

/** The environment of every peer. */
export const port = Number(env['PORT']);
export const databaseUrl = env['DATABASE_URL'] ?? '';
export const apiKey = env['API_KEY'] ?? '';
export const poolMax = Number(env['DATABASE_POOL_MAX']);

/** Closes a peer's resources at SIGTERM, then ends the process. */
export function stopBySignal(close: () => Promise<unknown>): void {
  process.once('SIGTERM', () => void close().finally(() => process.exit(0)));
}
