import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { stringifyJson } from '@petstore/contracts';
import type { FastifyInstance } from 'fastify';
import { AppModule, featureDocs } from './app.module.js';
import { ApiKeyGuard } from './features/api-keys/api-key.guard.js';
import { Clock } from './platform/clock.js';
import { readConfig } from './platform/config/config.js';
import { DatabasePool } from './platform/database/pool.js';
import { Connections } from './platform/http/connections.js';
import { openDocs, serveDocs } from './platform/http/docs/docs.js';
import { openApiDocument } from './platform/http/docs/openapi-document.js';
import { addHooks } from './platform/http/hooks.js';
import { httpLimits, type HttpLimits } from './platform/http/limits.js';
import { Paths } from './platform/http/paths.js';
import { createFastifyAdapter } from './platform/http/server.js';
import { serveAdmin } from './platform/http/static-files.js';
import { createLogger, NestLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { collectPool } from './platform/metrics/sources.js';
import type { PlatformOptions } from './platform/platform.module.js';

interface AppOptions extends PlatformOptions {
  /** Tests set lower ones. */
  limits?: Partial<HttpLimits>;
}

/** Creates the app for the service and the tests. It does not listen yet. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const limits = { ...httpLimits, ...options.limits };
  const connections = new Connections(limits, logger);
  const adapter = createFastifyAdapter({ config, limits, connections, logger });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register({ ...options, connections }),
    adapter,
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  const fastify: FastifyInstance = adapter.getInstance();
  const paths = app.get(Paths);
  // Before Nest registers its routes.
  openDocs(fastify);
  paths.collect(fastify);
  // A route keeps the error handler that is set when it is registered. init() sets Nest's.
  await app.init();
  const metrics = app.get(Metrics);
  if (config.metricsPort !== undefined) collectPool(metrics, app.get(DatabasePool));
  await addHooks(fastify, { config, limits, logger, metrics, connections, paths, guard: app.get(ApiKeyGuard) });
  await serveAdmin(fastify);
  serveDocs(app, config, featureDocs);
  await fastify.ready();
  return app;
}

/** Writes the openapi.json of a service with the default configuration. */
export async function writeOpenApi(path: string): Promise<void> {
  const config = readConfig({});
  const logger = createLogger({ logLevel: 'silent' });
  const connections = new Connections(httpLimits, logger);
  const options = { config, databaseUrl: '', logger, clock: new Clock(), connections };
  const app = await NestFactory.create(AppModule.register(options), new FastifyAdapter(), {
    preview: true,
    logger: false,
    // Nest would end the process without an error message.
    abortOnError: false,
  });
  await writeFile(path, `${stringifyJson(openApiDocument(app, config, featureDocs), '  ')}\n`);
  await app.close();
}
