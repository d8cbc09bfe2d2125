import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import type { PostgresServer } from '@petstore/processes/postgres-server.js';
import { serviceDirectory } from '@petstore/processes/program.js';
import { ServerProcess } from '@petstore/processes/server-process.js';
import type { Client } from 'pg';
import { createPeerTables } from './animals.js';
import type { CapturedResponse } from './peers/ceiling.js';
import { installBun } from './peers/bun/install.js';

export type TargetName = 'service' | 'handwritten' | 'starter' | 'bun' | 'ceiling';

/** A server that is measured. */
export interface Target {
  readonly name: TargetName;
  readonly server: ServerProcess;
  /** A connection to its database. The ceiling has none. */
  readonly database: Client | undefined;
}

export type ServiceTarget = Target & { readonly database: Client };

/** What all servers share. */
export interface Context {
  readonly postgres: PostgresServer;
  readonly cleanup: Cleanup;
  /** A directory for the CPU profile of each server. `undefined`: no profiles. */
  readonly profiles: string | undefined;
}

/** The API key of every target. */
const apiKey = 'a-key-for-the-benchmark-only';
export const authorization = { Authorization: `Bearer ${apiKey}` } as const;
/** The connections to PostgreSQL that each target may open: the service's default. */
const poolMax = '10';
/** The sizes of ids, as each peer's authors would choose them. */
const peerIds = { handwritten: 'bigint', starter: 'integer', bun: 'bigint' } as const;
/** Node's HTTP server sets these headers. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Starts the built service on an empty database. */
export async function startService(context: Context, database = 'service'): Promise<ServiceTarget> {
  const client = await createDatabase(context, database);
  const entry = `${serviceDirectory}main.js`;
  const variables = { ...databaseVariables(context, database), BOOTSTRAP_API_KEY: apiKey };
  return { name: 'service', database: client, server: await start(context, { name: database, entry, variables }) };
}

/** Starts a peer on a database with empty tables. */
export async function startPeer(context: Context, name: keyof typeof peerIds): Promise<Target> {
  const client = await createDatabase(context, name);
  await createPeerTables(client, peerIds[name]);
  const variables = { ...databaseVariables(context, name), API_KEY: apiKey };
  const program = name === 'bun' ? await installBun() : { entry: peerEntry(`${name}/main.js`) };
  return { name, database: client, server: await start(context, { name, variables, ...program }) };
}

/** Starts the peer that sends a fixed response: the one of the service to this path. */
export async function startCeiling(context: Context, service: Target, path: string): Promise<Target> {
  const variables = { API_KEY: apiKey, RESPONSE: JSON.stringify(await captureResponse(service, path)) };
  const server = await start(context, { name: 'ceiling', entry: peerEntry('ceiling.js'), variables });
  return { name: 'ceiling', database: undefined, server };
}

interface Start {
  /** Used in messages and file names. */
  readonly name: string;
  readonly entry: string;
  readonly variables: Record<string, string>;
  /** The program that runs the entry. Default: Node. */
  readonly node?: string;
}

async function start({ cleanup, profiles }: Context, { name, entry, variables, node }: Start): Promise<ServerProcess> {
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}.cpuprofile`];
  const nodeOptions = profiles === undefined || node !== undefined ? [] : profiler;
  const server = await cleanup.own(
    () => ServerProcess.start({ entry, variables, nodeOptions, ...(node !== undefined && { spawnOptions: { node } }) }),
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
  return fileURLToPath(new URL(`peers/${file}`, import.meta.url));
}

/** The exact response of a target, without the headers that every Node server sets. */
async function captureResponse({ server }: Target, path: string): Promise<CapturedResponse> {
  const request = get({ port: server.port, host: '127.0.0.1', path, headers: authorization });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const headers: string[] = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    const pair = response.rawHeaders.slice(at, at + 2);
    if (!ownHeaders.has(pair[0]?.toLowerCase() ?? '')) headers.push(...pair);
  }
  return { headers, body: await text(response) };
}
