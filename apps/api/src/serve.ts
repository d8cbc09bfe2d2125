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
import { Gate } from './platform/http/server/gate.js';
import { httpLimits } from './platform/http/server/limits.js';
import { productVersion } from './platform/process/product-version.js';

const howToCreateKey =
  'No API key is usable. Run "npm run keys -- create --name NAME --scopes read,write", or set BOOTSTRAP_API_KEY.';

export interface ServeOptions {
  config: Config;
  database: OpenDatabase;
  logger: Logger;
  /** Prints a line for the person who started the service. */
  print: (line: string) => void;
  /** Whether this process creates the first keys and prints the addresses: one of several does. */
  isFirst: boolean;
  /** Called when this process serves requests. */
  onReady?: () => void;
}

/** Serves until `stopped` resolves, then completes the accepted requests. */
export async function serve(options: ServeOptions, stopped: Promise<unknown>): Promise<void> {
  const { config, database, logger, isFirst } = options;
  const gate = new Gate();
  // Loaded only if it is used: prom-client takes 2 MB.
  const measuring = config.metricsPort === undefined ? undefined : await import('./serve-metrics.js');
  const metrics = measuring?.createMetrics(logger);
  const app = await createApp({ config, databaseUrl: database.url, logger, clock: new Clock(), gate, metrics });
  // Before the first key: a start that fails because its port is in use must not show a key that is never shown again.
  await app.listen({ port: config.port, host: config.host, backlog: httpLimits.backlog });
  const metricsServer = metrics && (await measuring?.startMetricsServer(metrics, app, config));
  const firstKey = isFirst ? await provideKeys(app, options) : undefined;
  gate.open();
  if (isFirst) printAddresses(app, options, firstKey);
  options.onReady?.();
  await stopped;
  await drain(app, config.shutdownGraceMs);
  metricsServer?.close();
}

/** Loads the keys while requests wait. Returns the first key when this start created it. */
async function provideKeys(
  app: NestFastifyApplication,
  { config, database, logger, print }: ServeOptions,
): Promise<string | undefined> {
  const [keys, ring] = [app.get(ApiKeysService), app.get(ApiKeyRing)];
  // The user needs the key, whatever the log level is.
  const printAlways = logger.isLevelEnabled('info') ? print : (line: string) => console.log(line);
  let firstKey: string | undefined;
  if (config.bootstrapApiKey) await keys.setBootstrapKey(config.bootstrapApiKey);
  if (database.isEmbedded) {
    await keys.createFirst(async (key) => {
      await announceKey(key, { dataDir: config.dataDir, isTerminal: process.stdout.isTTY, print: printAlways });
      firstKey = key;
    });
  }
  await ring.reload();
  if (ring.isEmpty) printAlways(howToCreateKey);
  return firstKey;
}

function printAddresses(
  app: NestFastifyApplication,
  { config, database, print }: ServeOptions,
  firstKey: string | undefined,
): void {
  const url = addressToOpen(app, config);
  print('Petstore is ready.');
  print(`  Version   ${productVersion}`);
  print(`  Admin     ${url}`);
  print(`  API       ${url}/v1`);
  print(`  Docs      ${url}/docs`);
  print(`  Database  ${database.isEmbedded ? `embedded, in ${config.dataDir}` : 'the one of DATABASE_URL'}`);
  if (config.webConcurrency > 1) print(`  Processes ${config.webConcurrency}`);
  // Browsers do not send the part after "#".
  if (firstKey && process.stdout.isTTY) console.log(`Open it with your key: ${url}/#key=${firstKey}`);
}

/** The address to open: the public one, or the one on this machine. */
function addressToOpen(app: NestFastifyApplication, { host, publicBaseUrl }: Config): string {
  if (publicBaseUrl) return publicBaseUrl.replace(/\/v1$/, '');
  const { port } = app.getHttpServer().address() as { port: number };
  const isLocal = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${isLocal ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
