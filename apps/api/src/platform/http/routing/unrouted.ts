import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';
import { allowHeader, type KnownPaths } from './methods.js';
import { isDecodable, isRoutable, isUrl } from './request-target.js';

const undecodable = new DomainError('bad_request', 'The path or the query contains invalid percent-encoding.');
const notUrl = new DomainError('bad_request', 'The request target is not a valid URL.');
export const routeNotFound = new DomainError('route_not_found');

/** Whether the request matched only the catch-all route that @fastify/cors adds for OPTIONS. */
function isCatchAll(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.routeOptions.url === '*';
}

/** Rejects requests to unreadable and unknown targets before their body is read, and answers `OPTIONS *`. */
export function answerUnrouted(fastify: FastifyInstance, paths: KnownPaths): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isDecodable(request.originalUrl)) return done(undecodable);
    const isRouted = isRoutable(request) && !request.is404 && !isCatchAll(request);
    if (isRouted) return done();
    if (/^https?:/i.test(request.originalUrl) && !isUrl(request.originalUrl)) return done(notUrl);
    if (request.method !== 'OPTIONS' || request.originalUrl !== '*') return done(routeNotFound);
    // The methods of the whole service (RFC 9110, section 9.3.7).
    const methods = new Set([...paths.values()].flatMap((path) => [...path.methods]));
    void reply.status(204).header('Allow', allowHeader(methods)).send();
  });
}
