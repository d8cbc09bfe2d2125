import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticator, judgeKeys } from './platform/http/security/access.js';
import { serveAdmin } from './platform/http/server/admin-files.js';
import { addConditionalAnswers } from './platform/http/server/conditional.js';
import { addDeprecationHeaders } from './platform/http/routing/deprecation.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { createFastifyAdapter } from './platform/http/server/fastify-adapter.js';
import {
  addAnswerHeaders,
  addRequestLog,
  closeFilesWithConnection,
  requireHost,
} from './platform/http/server/hooks.js';
import { parseJsonBodies } from './platform/http/json/json-body.js';
import { answerOtherMethods } from './platform/http/routing/methods.js';
import { limitRates } from './platform/http/security/rate-limit.js';
import { shedLoad } from './platform/http/security/overload.js';
import { addCors, addSecurityHeaders } from './platform/http/security/security-headers.js';
import { answerUnrouted } from './platform/http/routing/unrouted.js';
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
