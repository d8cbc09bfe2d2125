import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { createPeerTables } from '../database/animals.js';
import type { CapturedResponse } from '../peers/ceiling.js';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import { serviceDirectory } from '@petstore/processes/program.js';
import { ServerProcess } from '@petstore/processes/server-process.js';
import { apiKey, authorization, poolMax, type Target } from './target.js';

/** What all servers share. */
export interface Context {
  readonly postgres: PostgresServer;
  readonly cleanup: Cleanup;
  /** A directory for the CPU profile of each server. `undefined`: no profiles. */
  readonly profiles: string | undefined;
}

const peerIds = { handwritten: 'bigint', starter: 'integer' } as const;

export type ServiceTarget = Target & { readonly database: Client };

/** Starts the built service on an empty database. */
export async function startService(
  context: Context,
  database = 'service',
  settings: Record<string, string> = {},
): Promise<ServiceTarget> {
  const client = await createDatabase(context, database);
  const entry = `${serviceDirectory}main.js`;
  const variables = { ...databaseVariables(context, database), BOOTSTRAP_API_KEY: apiKey, ...settings };
  return { name: 'service', database: client, server: await start(context, { name: database, entry, variables }) };
}

/** Starts a peer on a database with empty tables. */
export async function startPeer(context: Context, name: keyof typeof peerIds): Promise<Target> {
  const client = await createDatabase(context, name);
  await createPeerTables(client, peerIds[name]);
  const entry = peerEntry(`${name}/main.js`);
  const variables = { ...databaseVariables(context, name), API_KEY: apiKey };
  return { name, database: client, server: await start(context, { name, entry, variables }) };
}

/** Starts the peer that sends a fixed response. */
export async function startCeiling(context: Context, response: CapturedResponse): Promise<Target> {
  const variables = { API_KEY: apiKey, RESPONSE: JSON.stringify(response) };
  const server = await start(context, { name: 'ceiling', entry: peerEntry('ceiling.js'), variables });
  return { name: 'ceiling', database: undefined, server };
}

interface Start {
  /** Used in messages and file names. */
  name: string;
  entry: string;
  variables: Record<string, string>;
}

async function start({ cleanup, profiles }: Context, { name, entry, variables }: Start): Promise<ServerProcess> {
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`];
  const nodeOptions = profiles === undefined ? [] : profiler;
  const server = await cleanup.own(
    () => ServerProcess.start({ entry, variables, nodeOptions }),
    (started) => started.stop(),
  );
  await server.ready('/v1/pets?limit=1', authorization).catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  });
  return server;
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

function peerEntry(file: string): string {
  return fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
}
