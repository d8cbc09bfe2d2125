import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';
import { isDecodable, isRoutable, isUrl } from './request-target.js';

const unreadablePath = new DomainError('bad_request', 'The path holds percent-encoding that cannot be decoded.');
const notUrl = new DomainError('bad_request', 'The target of the request is not a URL.');
export const routeNotFound = new DomainError(
  'route_not_found',
  'There is nothing at this path. The API is documented at /docs.',
);

/** Whether only the route was found that @fastify/cors adds so that its hook runs on every OPTIONS. */
function isAnyPath(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.routeOptions.url === '*';
}

/** What no route takes is answered before its body is read: whatever that holds, the path is what is wrong. */
export function answerUnrouted(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isRouted = isRoutable(request) && !request.is404 && !isAnyPath(request);
    if (isRouted) return done();
    if (!isDecodable(request.originalUrl)) return done(unreadablePath);
    if (/^https?:/i.test(request.originalUrl) && !isUrl(request.originalUrl)) return done(notUrl);
    if (request.method !== 'OPTIONS' || request.originalUrl !== '*') return done(routeNotFound);
    // Asks the service as a whole (RFC 9110, section 9.3.7).
    void reply.status(204).header('Allow', 'GET, HEAD, POST, OPTIONS').send();
  });
}
