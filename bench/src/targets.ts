import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import { freePort, isolatedEnvironment, Program, serviceDirectory } from '@petstore/processes/program.js';
import type { Client } from 'pg';
import { createPeerTables } from './animals.js';
import { installBun } from './peers/bun/install.js';

export type TargetName = 'service' | 'handwritten' | 'starter' | 'bun';

/** A server that is measured. */
export interface Target {
  readonly name: TargetName;
  readonly server: Program;
  readonly port: number;
  /** A connection to its database. */
  readonly database: Client;
}

/** What all servers share. */
export interface Context {
  readonly postgres: PostgresServer;
  readonly cleanup: Cleanup;
}

/** The API key of every target. */
const apiKey = 'a-key-for-the-benchmark-only';
export const authorization = { Authorization: `Bearer ${apiKey}` } as const;
/** The connections to PostgreSQL that each target may open: the service's default. */
const poolMax = '10';
/** The sizes of ids, as each peer's authors would choose them. */
const peerIds = { handwritten: 'bigint', starter: 'integer', bun: 'bigint' } as const;

/** Starts the built service on an empty database. */
export async function startService(context: Context, database = 'service'): Promise<Target> {
  const client = await createDatabase(context, database);
  const command = [process.execPath, `${serviceDirectory}main.js`];
  const variables = { ...databaseVariables(context, database), BOOTSTRAP_API_KEY: apiKey };
  return { name: 'service', database: client, ...(await start(context, { name: database, command, variables })) };
}

/** Starts a peer on a database with empty tables. */
export async function startPeer(context: Context, name: keyof typeof peerIds): Promise<Target> {
  const client = await createDatabase(context, name);
  await createPeerTables(client, peerIds[name]);
  const variables = { ...databaseVariables(context, name), API_KEY: apiKey };
  const entry = fileURLToPath(new URL(`peers/${name}/main.js`, import.meta.url));
  const command = name === 'bun' ? installBun() : [process.execPath, entry];
  return { name, database: client, ...(await start(context, { name, command, variables })) };
}

interface Start {
  /** Used in messages. */
  readonly name: string;
  readonly command: readonly string[];
  readonly variables: Record<string, string>;
}

async function start({ cleanup }: Context, { name, command, variables }: Start) {
  const port = await freePort();
  const fixed = { NODE_ENV: 'production', LOG_LEVEL: 'warn', PORT: String(port) };
  const server = await cleanup.own(
    async () => new Program(command, { env: isolatedEnvironment({ ...variables, ...fixed }) }),
    (started) => started.stop(),
  );
  await server.ready(`http://127.0.0.1:${port}/v1/pets?limit=1`, authorization).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  });
  return { server, port };
}

/** Creates an empty database and returns a connection to it. */
async function createDatabase({ postgres, cleanup }: Context, database: string): Promise<Client> {
  await postgres.createDatabase(database);
  return cleanup.own(
    () => postgres.connect(database),
    (client) => client.end(),
  );
}

function databaseVariables({ postgres }: Context, database: string): Record<string, string> {
  return { DATABASE_URL: postgres.url(database), DATABASE_POOL_MAX: poolMax };
}
