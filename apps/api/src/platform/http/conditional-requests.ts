import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fresh from 'fresh';

/** Adds an ETag to the 200 of a route that is `conditional`, or responds 304 if the client has it (RFC 9110, section 13). */
export function respondConditionally(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { conditional, public: isPublic } = request.routeOptions.config;
    if (reply.statusCode !== 200 || !conditional) return done(null, payload);
    // When a page after the last one appears, only the Link header changes.
    const text = `${String(reply.getHeader('link') ?? '')}\n${String(payload)}`;
    const etag = `"${hash('sha1', text, 'base64url')}"`;
    void reply.header('etag', etag).header('cache-control', isPublic ? 'no-cache' : 'private, no-cache');
    if (!isPublic) addVary(reply, 'Authorization');
    // The request's Cache-Control is for caches, not for the origin.
    const tags = request.headers['if-none-match'];
    if (tags === undefined || !fresh({ 'if-none-match': tags }, { etag })) return done(null, payload);
    void reply.status(304).removeHeader('content-type');
    // For HEAD, Fastify measures the body before it drops it.
    done(null, request.method === 'HEAD' ? payload : null);
  });
}

/** Adds a request header to `Vary`, which may list others already. */
export function addVary(reply: FastifyReply, field: string): void {
  const others = reply.getHeader('vary');
  void reply.header('Vary', typeof others === 'string' ? `${field}, ${others}` : field);
}
