import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { stringifyJson } from '@petstore/contracts';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { ApiKeyGuard, authenticateRequests } from './features/api-keys/api-key.guard.js';
import { petsDocs } from './features/pets/pets.openapi.js';
import { Clock } from './platform/clock.js';
import { readConfig } from './platform/config/config.js';
import { DatabasePool } from './platform/database/pool.js';
import { logRequests, measureRequests } from './platform/http/access-log.js';
import { respondConditionally } from './platform/http/conditional-requests.js';
import { Connections, limitUnreadBodies } from './platform/http/connections.js';
import { allowOrigins } from './platform/http/cors.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { openApiDocument } from './platform/http/docs/openapi-document.js';
import { ClientErrors } from './platform/http/errors.js';
import { serveHealth } from './platform/http/health.js';
import { httpLimits, type HttpLimits } from './platform/http/limits.js';
import { addOtherMethods, collectPaths, rejectUnknownPaths } from './platform/http/paths.js';
import { limitRate, limitRequestsInProgress, limitTurns } from './platform/http/request-limits.js';
import { addDeprecationHeaders, addResponseHeaders } from './platform/http/response-headers.js';
import { createFastifyAdapter, parseBodies, rejectAmbiguousHeaders } from './platform/http/server.js';
import { serveAdmin, serveDeepLinks } from './platform/http/static-files.js';
import { createLogger, NestLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import type { PlatformOptions } from './platform/platform.module.js';

interface AppOptions extends PlatformOptions {
  /** Tests set lower ones. */
  limits?: Partial<HttpLimits>;
}

interface App {
  app: NestFastifyApplication;
  connections: Connections;
}

/** Creates the app for the service and the tests. It does not listen yet. */
export async function createApp({ limits: changes, ...options }: AppOptions): Promise<App> {
  const { config, logger } = options;
  const limits = { ...httpLimits, ...changes };
  const connections = new Connections(limits, logger);
  const clientErrors = new ClientErrors(connections, limits, logger);
  const adapter = createFastifyAdapter({ config, limits, clientErrors });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  const paths = collectPaths(fastify);
  connections.follow(fastify);
  await addHooks(app, options, limits);
  await app.init();
  // These routes too get the error handler of Nest, which init() sets.
  await serveAdmin(fastify);
  serveHealth(fastify, connections, () => app.get(DatabasePool).ping());
  serveDocs(app, config, petsDocs);
  addOtherMethods(fastify, paths);
  await fastify.ready();
  return { app, connections };
}

/**
 * The hooks of every request, by their subjects. Their order is that of the checks. Those of `onRequest` run before the body is
 * read. The slots are taken after it. Those of `onSend` run with the response. Nest's guard, pipe and filter follow.
 */
async function addHooks(app: NestFastifyApplication, { config, logger }: PlatformOptions, limits: HttpLimits) {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const metrics = app.get(Metrics);
  addResponseHeaders(fastify);
  logRequests(fastify, logger);
  if (config.metricsPort !== undefined) measureRequests(fastify, metrics);
  limitTurns(fastify, limits);
  addDeprecationHeaders(fastify);
  await allowOrigins(fastify, config.corsOrigins);
  rejectAmbiguousHeaders(fastify, limits);
  authenticateRequests(fastify, app.get(ApiKeyGuard));
  limitRate(fastify, config.rateLimitPerMinute);
  limitRequestsInProgress(fastify, { limits, logger, metrics });
  parseBodies(fastify);
  serveDeepLinks(fastify);
  rejectUnknownPaths(fastify);
  respondConditionally(fastify);
  limitUnreadBodies(fastify, limits);
}

/** Writes the openapi.json of a service with the default configuration. */
export async function writeOpenApi(path: string): Promise<void> {
  const config = readConfig({});
  const options = { config, databaseUrl: '', logger: createLogger({ logLevel: 'silent' }), clock: new Clock() };
  const app = await NestFactory.create(AppModule.register(options), new FastifyAdapter(), {
    preview: true,
    logger: false,
    // Nest would end the process without an error message.
    abortOnError: false,
  });
  await writeFile(path, `${stringifyJson(openApiDocument(app, config, petsDocs), '  ')}\n`);
  await app.close();
}
