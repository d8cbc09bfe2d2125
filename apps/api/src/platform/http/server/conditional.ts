import { hash } from 'node:crypto';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import fresh from 'fresh';
import { addVary } from './vary.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route supports ETag and If-None-Match (RFC 9110, section 13). */
    conditional?: boolean;
  }
}

/** Adds ETag and 304 to routes with `conditional` that are registered from now on. */
export function addConditionalResponses(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.config?.conditional === true) route.onSend = [respondConditionally, route.onSend ?? []].flat();
  });
}

const respondConditionally: onSendHookHandler = (request, reply, payload, done) => {
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
