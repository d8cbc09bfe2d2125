import { hash } from 'node:crypto';
import type { FastifyReply, onSendHookHandler } from 'fastify';
import fresh from 'fresh';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route supports ETag and If-None-Match (RFC 9110, section 13). */
    conditional?: boolean;
  }
}

/** Adds the ETag, and turns a 200 that the client already has into a 304. */
export const respondConditionally: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode !== 200) return done(null, payload);
  // When a page after the last one appears, only the Link header changes.
  const text = `${String(reply.getHeader('link') ?? '')}\n${String(payload)}`;
  const etag = `"${hash('sha1', text, 'base64url')}"`;
  const isPublic = request.routeOptions.config.public === true;
  void reply.header('etag', etag).header('cache-control', isPublic ? 'no-cache' : 'private, no-cache');
  if (!isPublic) addVary(reply, 'Authorization');
  // The request's Cache-Control is for caches, not for the origin.
  const tags = request.headers['if-none-match'];
  if (tags === undefined || !fresh({ 'if-none-match': tags }, { etag })) return done(null, payload);
  void reply.status(304).removeHeader('content-type');
  // For HEAD, Fastify measures the body before it drops it.
  done(null, request.method === 'HEAD' ? payload : null);
};

/** Adds a request header to `Vary`, which may list others already. */
export function addVary(reply: FastifyReply, field: string): void {
  const others = reply.getHeader('vary');
  void reply.header('Vary', typeof others === 'string' ? `${field}, ${others}` : field);
}
