import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from './create-app.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { ApiKeyRing } from './features/api-keys/api-key-ring.js';
import { announceKey } from './features/api-keys/key-announcer.js';
import { Clock } from './platform/clock/clock.js';
import type { Config } from './platform/config/config.js';
import type { OpenDatabase } from './platform/database/open-database.js';
import { drain } from './platform/http/server/drain.js';
import { httpLimits } from './platform/http/server/limits.js';
import { compileSooner } from './platform/process/v8.js';

/** What a service is started with. */
export interface Start {
  config: Config;
  database: OpenDatabase;
  logger: Logger;
  /** Tells the person who started it. */
  say: (line: string) => void;
}

/** Serves until `stopped`, and answers then what was accepted. */
export async function serve(start: Start, stopped: Promise<unknown>): Promise<void> {
  const { config, database, logger, say } = start;
  const app = await createApp({ config, databaseUrl: database.url, logger, clock: new Clock() });
  const firstKey = await provideKeys(app, start);
  compileSooner();
  await app.listen({ port: config.port, host: config.host, backlog: httpLimits.backlog });
  sayWhere(app, start, firstKey);
  await stopped;
  say('Stopping: requests that were accepted are answered first.');
  await drain(app, config.shutdownGraceMs);
}

/** Before anybody can ask: a service that listens knows its keys. Returns the first key when it has just been made. */
async function provideKeys(
  app: NestFastifyApplication,
  { config, database, logger, say }: Start,
): Promise<string | undefined> {
  const keys = app.get(ApiKeysService);
  // Where the key is has to be told however little the log holds.
  const tell = logger.isLevelEnabled('info') ? say : (line: string) => console.log(line);
  let firstKey: string | undefined;
  if (config.bootstrapApiKey) await keys.setBootstrapKey(config.bootstrapApiKey);
  if (database.isEmbedded) {
    await keys.createFirst(async (key) => {
      await announceKey(key, { dataDir: config.dataDir, isTerminal: process.stdout.isTTY, say: tell });
      firstKey = key;
    });
  }
  await app.get(ApiKeyRing).reload();
  return firstKey;
}

function sayWhere(app: NestFastifyApplication, { config, database, say }: Start, firstKey: string | undefined): void {
  const url = localUrl(app, config);
  say('Petstore is ready.');
  say(`  Admin     ${url}`);
  say(`  API       ${url}/v1`);
  say(`  Docs      ${url}/docs`);
  say(`  Database  ${database.isEmbedded ? `embedded, in ${config.dataDir}` : 'the one of DATABASE_URL'}`);
  // The browser keeps what stands behind the "#" to itself.
  if (firstKey && process.stdout.isTTY) say(`Open it with your key: ${url}/#key=${firstKey}`);
}

/** The address to open on this machine. */
function localUrl(app: NestFastifyApplication, { host }: Config): string {
  const { port } = app.getHttpServer().address() as { port: number };
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
