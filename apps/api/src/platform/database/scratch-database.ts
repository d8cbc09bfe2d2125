import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@petstore/embedded-postgres';
import { MigrationError } from '@petstore/migrate';
import pg from 'pg';
import { stopSignal } from '../process/stop-signal.js';

type UseDatabase<Result> = (url: string) => Promise<Result>;

/**
 * Runs `use` on an empty database, then removes it, also after Ctrl-C. Without `serverUrl`, the database is an embedded
 * one in a temporary directory.
 */
export function withScratchDatabase<Result>(serverUrl: string, use: UseDatabase<Result>): Promise<Result> {
  const interrupted = stopSignal().then((signal) => {
    throw new MigrationError(`Stopped by ${signal}.`);
  });
  // It may reject before anything awaits it.
  interrupted.catch(() => undefined);
  const useUnlessInterrupted = (url: string) => Promise.race([use(url), interrupted]);
  return serverUrl === '' ? useEmbedded(useUnlessInterrupted) : useServer(serverUrl, useUnlessInterrupted);
}

async function useEmbedded<Result>(use: UseDatabase<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'petstore-scratch-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return await use(postgres.url);
    } finally {
      await postgres.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function useServer<Result>(serverUrl: string, use: UseDatabase<Result>): Promise<Result> {
  if (!/^postgres(ql)?:\/\//.test(serverUrl) || !URL.canParse(serverUrl)) {
    throw new MigrationError(
      'TEST_DATABASE_URL is not valid. The format is postgresql://user:password@host:5432/database.',
    );
  }
  const name = `petstore_scratch_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  try {
    return await use(url.href);
  } finally {
    await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function execute(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw new MigrationError(
      `Cannot create or drop a scratch database on ${client.host}:${client.port} as user "${client.user}": ` +
        `${message || code}. The user of TEST_DATABASE_URL needs the right CREATEDB.`,
      { cause: error },
    );
  } finally {
    await client.end();
  }
}
