import type { RequestListener } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { stringifyJson } from '@petstore/contracts';
import { clientErrorHandler } from '../errors/client-errors.js';
import { createHttpServer } from './http-server.js';
import { httpLimits } from './limits.js';
import { requestIdOf } from './request-id.js';
import { routableTarget } from '../routing/request-target.js';

/** Fastify on our HTTP server, with explicit limits. */
export function createFastifyAdapter({ bodyLimitBytes, trustProxy }: Config, logger: Logger): FastifyAdapter {
  const adapter = new FastifyAdapter({
    logger: false,
    serverFactory: (handle: RequestListener) => createHttpServer(handle, logger),
    bodyLimit: bodyLimitBytes,
    trustProxy: trusted(trustProxy),
    genReqId: requestIdOf,
    requestIdHeader: false,
    routerOptions: { maxParamLength: httpLimits.headerBytes },
    rewriteUrl: routableTarget,
    return503OnClosing: false,
    // The app has no Nest middleware.
    skipMiddie: true,
    clientErrorHandler: clientErrorHandler(logger),
  });
  adapter.getInstance().setReplySerializer((payload) => stringifyJson(payload));
  return adapter;
}

function trusted(proxies: Config['trustProxy']) {
  if (proxies === false) return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}
