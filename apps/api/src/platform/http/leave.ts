import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import fresh from 'fresh';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.js';
import type { Connections } from './connections.js';
import type { HttpLimits } from './limits.js';
import { pathOf } from './paths.js';

declare module 'fastify' {
  interface FastifyReply {
    /** Logs the line of a request whose connection closed before it had a response. */
    logAborted: (() => void) | undefined;
  }
}

/** Content type, ETag and the end of the connection. */
export function leave(connections: Connections, limits: HttpLimits): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (hasUnreadBody(request)) limitUnreadBody(request, reply, limits);
    const type = reply.getHeader('content-type');
    // Fastify adds a charset, which JSON does not have (RFC 8259, section 11).
    if (typeof type === 'string' && type.startsWith('application/json;')) {
      void reply.header('content-type', 'application/json');
    }
    if (connections.isLast(reply)) void reply.header('connection', 'close');
    const isConditional = reply.statusCode === 200 && request.routeOptions.config.conditional === true;
    const body = isConditional ? respondConditionally(request, reply, payload) : closeAbandoned(request, payload);
    reply.logAborted?.();
    const isLater = typeof body === 'string' && mayBeCut(request, limits);
    done(null, isLater ? endAfterBody(request, reply, body, limits) : body);
  };
}

/** A chunk takes as much time as this many bytes. */
const minChunkBytes = 64;

function hasUnreadBody({ raw, headers }: FastifyRequest): boolean {
  return !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
}

/**
 * Node would read the rest of a body after its response, however long it is. The connection is not closed at once: a reset
 * could overtake the response.
 */
function limitUnreadBody({ raw }: FastifyRequest, reply: FastifyReply, limits: HttpLimits): void {
  const { socket } = raw;
  let left = limits.unreadBodyBytes;
  raw.on('data', (chunk: Buffer) => {
    if (left < 0) return;
    left -= Math.max(chunk.length, minChunkBytes);
    // Not now: after each chunk, Node resumes the socket in the next tick.
    if (left < 0) setImmediate(() => !raw.complete && socket.pause());
  });
  reply.raw.once('finish', () => {
    if (raw.readableEnded) return;
    const timer = setTimeout(() => socket.destroy(), limits.unreadBodyMs);
    raw.once('end', () => clearTimeout(timer));
  });
}

function mayBeCut(request: FastifyRequest, { unreadBodyBytes }: HttpLimits): boolean {
  return hasUnreadBody(request) && !(Number(request.headers['content-length']) <= unreadBodyBytes);
}

/**
 * Sends the whole response at once, which says that the connection ends. Its end follows later: a client in the middle of a
 * body could not read the response of a closed connection.
 */
function endAfterBody({ raw }: FastifyRequest, reply: FastifyReply, body: string, limits: HttpLimits): Readable {
  void reply.headers({ connection: 'close', 'content-length': Buffer.byteLength(body) });
  return Readable.from(
    (async function* () {
      yield body;
      const read = once(raw, 'close').catch(() => undefined);
      await Promise.race([read, sleep(limits.unreadBodyMs, undefined, { ref: false })]);
    })(),
  );
}

/** A response that waits for others (HTTP pipelining) is not closed by Node. If its client is gone, its file would stay open. */
function closeAbandoned({ raw }: FastifyRequest, payload: unknown): unknown {
  if (!(payload instanceof Readable) || !raw.socket.destroyed) return payload;
  payload.destroy();
  return null;
}

/** Adds the ETag, and turns a 200 that the client already has into a 304. */
function respondConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  // When a page after the last one appears, only the Link header changes.
  const text = `${String(reply.getHeader('link') ?? '')}\n${String(payload)}`;
  const etag = `"${hash('sha1', text, 'base64url')}"`;
  const isPublic = request.routeOptions.config.public === true;
  void reply.header('etag', etag).header('cache-control', isPublic ? 'no-cache' : 'private, no-cache');
  if (!isPublic) addVary(reply, 'Authorization');
  // The request's Cache-Control is for caches, not for the origin.
  const tags = request.headers['if-none-match'];
  if (tags === undefined || !fresh({ 'if-none-match': tags }, { etag })) return payload;
  void reply.status(304).removeHeader('content-type');
  // For HEAD, Fastify measures the body before it drops it.
  return request.method === 'HEAD' ? payload : null;
}

/** Adds a request header to `Vary`, which may list others already. */
export function addVary(reply: FastifyReply, field: string): void {
  const others = reply.getHeader('vary');
  void reply.header('Vary', typeof others === 'string' ? `${field}, ${others}` : field);
}

/** Logs and measures every request at its end, also if its client disconnects. Without `metrics`, it only logs. */
export function observer(logger: Logger, metrics: Metrics | undefined) {
  const isLogged = logger.isLevelEnabled('info');
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { operation = 'other' } = request.routeOptions.config;
    const stopTimer = metrics?.requestDuration.startTimer({ operation });
    const start = performance.now();
    // A closed connection has no address.
    const address = request.ip;
    const log = (isAborted: boolean) =>
      logger.info(lineOf(request, reply, { address, start, ...(isAborted && { aborted: true }) }), 'request');
    const { raw } = reply;
    raw.once('close', () => {
      stopTimer?.();
      if (metrics) countRequest(metrics, request, reply);
      if (!isLogged) return;
      if (raw.writableEnded) log(!raw.writableFinished);
      // The request is still in progress: its status is not known yet.
      else reply.logAborted = () => log(true);
    });
  };
}

interface Observed {
  address: string;
  start: number;
  aborted?: true;
}

/** Without the query: it can contain secrets. */
function lineOf(request: FastifyRequest, reply: FastifyReply, { start, address, ...others }: Observed) {
  return {
    requestId: request.id,
    method: request.method,
    path: pathOf(request.originalUrl),
    status: reply.statusCode,
    ...others,
    ms: Math.round((performance.now() - start) * 10) / 10,
    address,
    apiKeyId: request.principal?.apiKeyId,
    ...request.logged,
  };
}

function countRequest(
  metrics: Metrics,
  { principal, headers, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { operation = 'other', deprecation } = routeOptions.config;
  const status = reply.raw.headersSent ? reply.statusCode : 'aborted';
  metrics.requests.inc({ operation, status });
  if (status === 401 || (status === 429 && !principal)) {
    metrics.authenticationFailures.inc({ reason: headers.authorization === undefined ? 'missing' : 'invalid' });
  }
  if (status === 429 && principal) metrics.rateLimitedRequests.inc();
  if (principal && deprecation) metrics.deprecatedRequests.inc({ operation, api_key_id: principal.apiKeyId });
}
