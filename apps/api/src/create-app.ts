import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule, featureDocs } from './app.module.js';
import { Authenticator, authenticateRequests } from './platform/http/security/access.js';
import { serveAdmin } from './platform/http/server/admin-files.js';
import { addConditionalResponses } from './platform/http/server/conditional.js';
import { addDeprecationHeaders } from './platform/http/routing/deprecation.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { createFastifyAdapter } from './platform/http/server/fastify-adapter.js';
import type { Gate } from './platform/http/server/gate.js';
import { answerExpectContinue } from './platform/http/server/expect-continue.js';
import { addResponseHeaders, rejectAmbiguousHeaders, requireHost } from './platform/http/server/hooks.js';
import { addRequestLog } from './platform/http/server/request-log.js';
import { parseJsonBodies } from './platform/http/json/json-body.js';
import { answerOtherMethods, collectPaths } from './platform/http/routing/methods.js';
import { limitRates } from './platform/http/security/rate-limit.js';
import { shedLoad } from './platform/http/security/overload.js';
import { addCors } from './platform/http/security/cors.js';
import { addSecurityHeaders } from './platform/http/security/security-headers.js';
import { answerUnrouted } from './platform/http/routing/unrouted.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { NestLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import { measureRequests } from './platform/metrics/request-metrics.js';
import type { PlatformOptions } from './platform/platform.module.js';

interface AppOptions extends PlatformOptions {
  /** Without a gate, the app serves requests as soon as it listens. */
  gate?: Gate;
}

/** Creates the app for the server and the tests. It does not listen yet. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger, gate } = options;
  const adapter = createFastifyAdapter(config, logger);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const paths = collectPaths(fastify);
  addConditionalResponses(fastify);
  // A route keeps the error handler that is set when it is registered. init() sets Nest's.
  await app.init();
  // The hooks run in this order: headers of every response, authentication, limits, then path and body.
  gate?.guard(fastify);
  const metrics = app.get(Metrics);
  if (config.metricsPort !== undefined) {
    measureRequests(fastify, metrics);
    metrics.watchProcess();
    metrics.watchPool(app.get(PrismaService).pool);
    metrics.watchLog(logger);
  }
  addRequestLog(fastify, logger);
  addResponseHeaders(fastify);
  addSecurityHeaders(fastify);
  await addCors(fastify, config);
  addDeprecationHeaders(fastify);
  rejectAmbiguousHeaders(fastify);
  authenticateRequests(fastify, app.get(Authenticator));
  limitRates(fastify, config);
  shedLoad(fastify, logger, () => metrics.shedRequests.inc());
  requireHost(fastify);
  serveAdmin(fastify);
  answerUnrouted(fastify, paths);
  answerExpectContinue(fastify);
  parseJsonBodies(fastify);
  serveDocs(app, config, featureDocs);
  answerOtherMethods(fastify, paths);
  await fastify.ready();
  return app;
}
