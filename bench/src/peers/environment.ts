import { env } from 'node:process';

/** The environment of every peer. */
export const port = Number(env['PORT']);
export const databaseUrl = env['DATABASE_URL'] ?? '';
export const apiKey = env['API_KEY'] ?? '';
export const poolMax = Number(env['DATABASE_POOL_MAX']);
export const logLevel = env['LOG_LEVEL'] ?? 'warn';
