import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule, featureDocs } from './app.module.js';
import { PrismaService } from './platform/database/prisma.service.js';
import { DomainError } from './platform/errors/domain-error.js';
import { Authenticator } from './platform/http/access.js';
import { Connections } from './platform/http/connections.js';
import { serveDocs } from './platform/http/docs/docs.js';
import { httpLimits, type HttpLimits } from './platform/http/limits.js';
import { observe } from './platform/http/observe.js';
import { protect } from './platform/http/protect.js';
import { prepareRoutes, route } from './platform/http/route.js';
import { createFastifyAdapter } from './platform/http/server.js';
import { serveAdmin } from './platform/http/static-files.js';
import { NestLogger } from './platform/logging/logger.js';
import { Metrics } from './platform/metrics/metrics.js';
import type { PlatformOptions } from './platform/platform.module.js';

interface AppOptions extends Omit<PlatformOptions, 'connections'> {
  /** Without a gate, the app serves requests as soon as it listens. */
  gate?: Gate;
  /** Tests set lower ones. */
  limits?: Partial<HttpLimits>;
}

/** Creates the app for the server and the tests. It does not listen yet. */
export async function createApp({ gate, ...options }: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger } = options;
  const limits = { ...httpLimits, ...options.limits };
  const connections = new Connections(limits, logger);
  const adapter = createFastifyAdapter({ config, limits, connections, logger });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register({ ...options, connections }),
    adapter,
    { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
  );
  const fastify = adapter.getInstance();
  const paths = prepareRoutes(fastify);
  // A route keeps the error handler that is set when it is registered. init() sets Nest's.
  await app.init();
  const metrics = app.get(Metrics);
  if (config.metricsPort !== undefined) metrics.watch({ logger, database: app.get(PrismaService) });
  // Each adds its hooks on the root instance: the hooks of an encapsulated plugin would not see the routes of Nest.
  observe(fastify, {
    logger,
    metrics: config.metricsPort === undefined ? undefined : metrics,
    isRejected: (request) => connections.isRejected(request),
  });
  // After observe: a client that disconnects while its request waits has a log line too.
  gate?.guard(fastify);
  await protect(fastify, {
    config,
    limits,
    authenticator: app.get(Authenticator),
    logger,
    onRejection: () => metrics.shedRequests.inc(),
  });
  serve(app, fastify, options);
  route(fastify, paths);
  await fastify.ready();
  return app;
}

/** Before `route`: the admin answers unknown paths of browsers, and `route` adds the other methods of every path. */
function serve(app: NestFastifyApplication, fastify: FastifyInstance, { config }: AppOptions): void {
  serveAdmin(fastify);
  serveDocs(app, config, featureDocs);
}

/** Holds requests until the service is ready: it listens before it has its keys. */
export class Gate {
  private isOpen = false;
  private readonly waiting: (() => void)[] = [];

  open(): void {
    this.isOpen = true;
    for (const proceed of this.waiting.splice(0)) proceed();
  }

  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', ({ raw }, _reply, done) => {
      if (this.isOpen) return done();
      // Fastify would wait without end for the body of a request whose client has disconnected.
      this.waiting.push(() => done(raw.destroyed ? new DomainError('bad_request') : undefined));
    });
  }
}
