import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { createPeerTables } from '../database/animals.js';
import type { CapturedAnswer } from '../peers/ceiling.js';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import { serviceDirectory } from '@petstore/processes/program.js';
import { ServerProcess } from '@petstore/processes/server-process.js';
import { apiKey, authorization, poolMax, type Target } from './target.js';

/** What servers are started with. */
export interface Ground {
  readonly postgres: PostgresServer;
  readonly cleanup: Cleanup;
  /** A folder for the CPU profile of each server; none is made without it. */
  readonly profiles: string | undefined;
}

const peerIds = { handwritten: 'bigint', starter: 'integer' } as const;

/** The service as it ships, on an empty database that it makes its tables in. */
export async function startService(ground: Ground, database = 'service'): Promise<Target & { database: Client }> {
  const client = await createDatabase(ground, database);
  const entry = `${serviceDirectory}main.js`;
  const variables = { ...databaseVariables(ground, database), BOOTSTRAP_API_KEY: apiKey };
  return { name: 'service', database: client, server: await start(ground, { name: database, entry, variables }) };
}

/** A peer, on a database with empty tables. */
export async function startPeer(ground: Ground, name: keyof typeof peerIds): Promise<Target> {
  const client = await createDatabase(ground, name);
  await createPeerTables(client, peerIds[name]);
  const entry = peerEntry(`${name}/main.js`);
  const variables = { ...databaseVariables(ground, name), API_KEY: apiKey };
  return { name, database: client, server: await start(ground, { name, entry, variables }) };
}

/** The peer that sends what it was given. */
export async function startCeiling(ground: Ground, answer: CapturedAnswer): Promise<Target> {
  const variables = { API_KEY: apiKey, ANSWER: JSON.stringify(answer) };
  const server = await start(ground, { name: 'ceiling', entry: peerEntry('ceiling.js'), variables });
  return { name: 'ceiling', database: undefined, server };
}

interface Start {
  /** For messages and profiles. */
  name: string;
  entry: string;
  variables: Record<string, string>;
}

async function start({ cleanup, profiles }: Ground, { name, entry, variables }: Start): Promise<ServerProcess> {
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
async function createDatabase({ postgres, cleanup }: Ground, database: string): Promise<Client> {
  await postgres.createDatabase(database);
  return cleanup.own(
    () => postgres.connect(database),
    (client) => client.end(),
  );
}

function databaseVariables({ postgres }: Ground, database: string): Record<string, string> {
  return { DATABASE_URL: postgres.url(database), DATABASE_POOL_MAX: poolMax };
}

function peerEntry(file: string): string {
  return fileURLToPath(new URL(`../peers/${file}`, import.meta.url));
}
