import type { ApiKeyScope } from '@petstore/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { createApp } from '../../src/create-app.js';
import { ApiKeysService } from '../../src/features/api-keys/api-keys.service.js';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { Clock } from '../../src/platform/clock.js';
import { type Config, readConfig } from '../../src/platform/config/config.js';
import type { Connections } from '../../src/platform/http/connections.js';
import type { HttpLimits } from '../../src/platform/http/limits.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Api } from './api.js';
import { createTestDatabase, execute, useDatabase } from './scratch-database.js';

/** The current time, unless a test sets another one. */
class TestClock extends Clock {
  time: Date | undefined;

  override now(): Date {
    return this.time ?? super.now();
  }
}

export interface TestApp {
  /** The address of the service, without a trailing slash. */
  url: string;
  /** Sends requests with a key that has all scopes. */
  api: Api;
  key: string;
  /** Sends requests without a key. */
  anonymous: Api;
  keys: ApiKeysService;
  /** Creates a usable key with these scopes. */
  newKey(...scopes: ApiKeyScope[]): Promise<string>;
  databaseUrl: string;
  /** Runs one statement on the database and returns its rows. */
  sql(statement: string): Promise<Record<string, unknown>[]>;
  clock: TestClock;
  /** Every log line, parsed. */
  logged: Record<string, unknown>[];
  app: NestFastifyApplication;
  connections: Connections;
  /** All metrics as text. Requests are measured with `metricsPort`. */
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Settings and limits that differ from the defaults. */
type Changes = Partial<Config> & { limits?: Partial<HttpLimits>; dataDirectory?: string };

/** With the rights of `databaseRights` alone, on a database of `scratch-database.ts`: a statement that needs others fails. */
function asServiceRole(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const isOwner = url.username === new URL(inject('serverUrl')).username;
  if (isOwner && url.pathname.startsWith('/petstore_test_')) url.username = inject('templateDatabase');
  return url.href;
}

/** Starts the service on loopback with a database. The caller has to close it. */
export async function runApp(
  databaseUrl: string,
  { limits = {}, dataDirectory, ...changes }: Changes = {},
): Promise<TestApp> {
  const config = { ...readConfig({ PORT: '0', DATABASE_URL: databaseUrl }), ...changes };
  const logged: Record<string, unknown>[] = [];
  const logger = createLogger(config, {
    write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>),
  });
  const clock = new TestClock();
  const { app, connections } = await createApp({
    config,
    databaseUrl: asServiceRole(databaseUrl),
    dataDirectory,
    logger,
    clock,
    limits,
  });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const keys = app.get(ApiKeysService);
  const newKey = async (...scopes: ApiKeyScope[]) => {
    const { key } = await keys.create('test', scopes, null);
    await app.get(ApiKeyRing).reload();
    return key;
  };
  const key = await newKey('read', 'write');
  const sql = (statement: string) => execute(databaseUrl, statement);
  return {
    url,
    api: new Api(url, key),
    anonymous: new Api(url),
    key,
    keys,
    newKey,
    databaseUrl,
    sql,
    clock,
    logged,
    app,
    connections,
    metrics: () => app.get(Metrics).registry.metrics(),
    close: () => app.close(),
  };
}

/** Starts the service on an existing database, as a second process would, for one test. */
export async function startOn(databaseUrl: string, changes?: Changes): Promise<TestApp> {
  const service = await runApp(databaseUrl, changes);
  onTestFinished(() => service.close());
  return service;
}

/** Starts the service with a new database for one test. */
export async function startTestApp(changes?: Changes): Promise<TestApp> {
  return startOn((await createTestDatabase()).url, changes);
}

/** Starts the service on an existing database for the tests of a file or of a `describe`. */
export function useAppOn(databaseUrl: () => string, changes: Changes | (() => Changes) = {}): TestApp {
  // Its members are there when the tests run.
  const service = {} as TestApp;
  beforeAll(async () => {
    Object.assign(service, await runApp(databaseUrl(), typeof changes === 'function' ? changes() : changes));
  });
  afterAll(() => service.close());
  return service;
}

/** Starts the service with a new database for the tests of a file or of a `describe`. */
export function useTestApp(changes?: Changes): TestApp {
  const database = useDatabase();
  return useAppOn(() => database.url, changes);
}
