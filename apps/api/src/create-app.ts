import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { Authenticator } from './platform/http/access.js';
import { answerBadUrl } from './platform/http/bad-url.js';
import { addConditionalAnswers } from './platform/http/conditional.js';
import { addDeprecationHeaders } from './platform/http/deprecation.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { createFastifyAdapter } from './platform/http/fastify-adapter.js';
import { addAccessHooks, addAnswerHeaders, addRequestLog } from './platform/http/hooks.js';
import { parseJsonBodies } from './platform/http/json-body.js';
import { answerOtherMethods } from './platform/http/methods.js';
import { addCors, addSecurityHeaders } from './platform/http/security-headers.js';
import { NestLogger } from './platform/logging/logger.js';
import type { PlatformOptions } from './platform/platform.module.js';

/** The one way to make the app: the server, the tests and openapi.json use it. It does not listen yet. */
export async function createApp(options: PlatformOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const authenticator = (): Authenticator => app.get(Authenticator);
  const adapter = createFastifyAdapter(config, answerBadUrl(authenticator));
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const addOtherMethods = answerOtherMethods(fastify);
  addAnswerHeaders(fastify);
  await addSecurityHeaders(fastify);
  await addCors(fastify, config);
  addDeprecationHeaders(fastify);
  addAccessHooks(fastify, authenticator());
  addConditionalAnswers(fastify);
  addRequestLog(fastify, logger, config);
  parseJsonBodies(fastify);
  await app.init();
  await serveDocs(app, config);
  addOtherMethods();
  await fastify.ready();
  return app;
}
