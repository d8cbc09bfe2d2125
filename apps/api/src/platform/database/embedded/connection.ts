import { Client } from 'pg';
import { socketFolder } from './data-folder.js';

/** The one role of the embedded database; only who may enter the socket's folder can use it. */
export const databaseRole = 'petstore';
const databaseName = 'petstore';

/** What a try to connect came to. */
export type Answer =
  | { readonly client: Client }
  /** `nobody`: no PostgreSQL listens. Otherwise one does that is not ready, and `reason` is what it says. */
  | { readonly client?: never; readonly nobody: boolean; readonly reason: string };

/** `root` is the real path of the data folder. The form is understood by pg, Prisma and psql. */
export function databaseUrl(root: string): string {
  const host = encodeURIComponent(socketFolder(root)).replaceAll('%2F', '/');
  return `postgres://${databaseRole}@localhost:5432/${databaseName}?host=${host}`;
}

/** Connects to PostgreSQL's own database, where locks and the making of databases belong. Never rejects. */
export async function tryConnect(socket: string, name: string): Promise<Answer> {
  const client = new Client({
    host: socket,
    port: 5432,
    user: databaseRole,
    database: 'postgres',
    application_name: name,
    ssl: false,
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks is noticed by its end and by the next query; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { client };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { nobody: code === 'ENOENT' || code === 'ECONNREFUSED', reason: message };
  }
}

/** Whether an error says that the connection has gone, as when PostgreSQL stops, rather than that a query failed. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return /^(08|57P)|^(ECONNRESET|EPIPE)$/.test(code) || /connection terminated|not queryable/i.test(message);
}

/** Makes the service's database when it is missing. */
export async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
  if (rowCount === 1) return;
  await client.query(`CREATE DATABASE ${databaseName}`).catch((error: { code?: string }) => {
    // Somebody else was first.
    if (error.code !== '42P04' && error.code !== '23505') throw error;
  });
}
