import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticator, judgeKeys } from './platform/http/access.js';
import { serveAdmin } from './platform/http/admin-files.js';
import { addConditionalAnswers } from './platform/http/conditional.js';
import { addDeprecationHeaders } from './platform/http/deprecation.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { createFastifyAdapter } from './platform/http/fastify-adapter.js';
import { addAnswerHeaders, addRequestLog, closeFilesWithConnection, requireHost } from './platform/http/hooks.js';
import { parseJsonBodies } from './platform/http/json-body.js';
import { answerOtherMethods } from './platform/http/methods.js';
import { limitRates } from './platform/http/rate-limit.js';
import { shedLoad } from './platform/http/overload.js';
import { addCors, addSecurityHeaders } from './platform/http/security-headers.js';
import { answerUnrouted } from './platform/http/unrouted.js';
import { NestLogger } from './platform/logging/logger.js';
import type { PlatformOptions } from './platform/platform.module.js';

/** The one way to make the app: the server, the tests and openapi.json use it. It does not listen yet. */
export async function createApp(options: PlatformOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const adapter = createFastifyAdapter(config, logger);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const addOtherMethods = answerOtherMethods(fastify);
  await addConditionalAnswers(fastify);
  // Nest's error handler first: a route keeps the one that it finds.
  await app.init();
  // A request meets them in this order: headers for whatever the answer will be, the key, what else can be wrong.
  addRequestLog(fastify, logger);
  addAnswerHeaders(fastify);
  closeFilesWithConnection(fastify);
  addSecurityHeaders(fastify);
  await addCors(fastify, config);
  addDeprecationHeaders(fastify);
  judgeKeys(fastify, app.get(Authenticator));
  limitRates(fastify, config);
  shedLoad(fastify, logger);
  requireHost(fastify);
  await serveAdmin(fastify);
  answerUnrouted(fastify);
  parseJsonBodies(fastify);
  await serveDocs(app, config);
  addOtherMethods();
  await fastify.ready();
  return app;
}
