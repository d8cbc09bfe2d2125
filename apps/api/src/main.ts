import { pid } from 'node:process';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createApp } from './create-app.js';
import { ApiKeysService } from './features/api-keys/api-keys.service.js';
import { announceKey } from './features/api-keys/key-announcer.js';
import { Clock } from './platform/clock/clock.js';
import { type Config, readConfig } from './platform/config/config.js';
import { type OpenDatabase, openDatabase } from './platform/database/open-database.js';
import { explainAndExit } from './platform/errors/startup-error.js';
import { drain } from './platform/http/drain.js';
import { createLogger } from './platform/logging/logger.js';

const startedAt = performance.now();

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config);
  // A person gets sentences, a log collector what it can parse.
  const say = (line: string) => (process.stdout.isTTY ? console.log(line) : logger.info(line));
  const database = await openDatabase(config, say);
  try {
    const app = await createApp({ config, databaseUrl: database.url, logger, clock: new Clock() });
    await app.listen(config.port, config.host);
    const baseUrl = localUrl(app, config);
    await provideKeys(app.get(ApiKeysService), { config, database, baseUrl, say });
    say(`Petstore is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s (process ${pid}).`);
    say(`  API      ${baseUrl}/v1`);
    say(`  Docs     ${baseUrl}/docs`);
    say(`  Database ${database.isEmbedded ? `embedded, in ${config.dataDir}` : 'as DATABASE_URL says'}`);
    stopOnSignal({ app, config, database, logger, say });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface KeySetting {
  config: Config;
  database: OpenDatabase;
  baseUrl: string;
  say: (line: string) => void;
}

async function provideKeys(keys: ApiKeysService, { config, database, baseUrl, say }: KeySetting): Promise<void> {
  if (config.bootstrapApiKey) await keys.setBootstrapKey(config.bootstrapApiKey);
  if (!database.isEmbedded) return;
  const isTerminal = process.stdout.isTTY;
  await keys.createFirst((key) => announceKey(key, { baseUrl, dataDir: config.dataDir, isTerminal, say }));
}

interface Running {
  app: NestFastifyApplication;
  config: Config;
  database: OpenDatabase;
  logger: Logger;
  say: (line: string) => void;
}

/** Once, however often it is asked: a terminal's Ctrl-C reaches a process twice, from the group and through npm. */
function stopOnSignal({ app, config, database, logger, say }: Running): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    say('Stopping: requests that were accepted are answered first.');
    try {
      await drain(app, config.shutdownGraceMs);
      await database.close();
      say('Stopped.');
      process.exit(0);
    } catch (error) {
      logger.fatal({ err: error }, 'the service did not stop cleanly');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
}

/** The address to open on this machine. */
function localUrl(app: NestFastifyApplication, { host }: Config): string {
  const { port } = app.getHttpServer().address() as { port: number };
  const everywhere = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

await main().catch(explainAndExit);
