import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import type { Connections } from './connections.js';
import type { Deprecation } from './operation.js';
import type { Paths } from './paths.js';

interface EnterOptions {
  connections: Connections;
  paths: Paths;
  /** Logs and measures a request at its end. */
  observe: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** The headers of every response, also of rejections. Rejects headers that a proxy could read differently. */
export function enter({ connections, paths, observe }: EnterOptions): onRequestHookHandler {
  return (request, reply, done) => {
    // Its connection is closed, so it gets no response.
    if (!connections.add(reply)) return;
    void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    const isMatched = !request.is404 && request.method !== 'OPTIONS';
    const { deprecation } = (isMatched ? request.routeOptions.config : paths.find(request)) ?? {};
    if (deprecation) void reply.headers(deprecationHeaders(deprecation));
    // A client may send the body even after a rejection. The service could not distinguish it from the next request.
    if (expectsContinue(request)) void reply.header('connection', 'close');
    observe(request, reply);
    done(headerError(request));
  };
}

const validRequestId = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's request id if it is valid, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and a successor link (RFC 5829). */
function deprecationHeaders({ since, removal, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: removal.toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  };
}

/** Whether the client waits before it sends the body. */
export function expectsContinue({ headers, raw }: FastifyRequest): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && raw.httpVersion === '1.1';
}

const singleHeaders = new Set(['host', 'authorization', 'content-type']);
/** A host name or address, with an optional port (RFC 3986, section 3.2.2). */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** Node uses the first of repeated headers, and ignores codings of the body other than `chunked`. */
function headerError({ headers, raw }: FastifyRequest): DomainError | undefined {
  const repeated = repeatedHeader(raw.rawHeaders);
  if (repeated !== undefined) return badRequest(`The \`${repeated}\` header is repeated.`);
  const coding = headers['transfer-encoding'];
  // HTTP/1.0 does not have this header: its body could end elsewhere for a proxy (RFC 9112, section 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || raw.httpVersion === '1.0')) {
    return badRequest('`Transfer-Encoding` must be `chunked`, in HTTP/1.1.');
  }
  return validHost.test(headers.host ?? '') ? undefined : badRequest('The `Host` header is invalid.');
}

/** Only HTTP/1.0 allows requests without Host (RFC 9112, section 3.2). No proxy reads this differently: it can wait for the key. */
export function missingHostError({ headers, raw }: FastifyRequest): DomainError | undefined {
  if (headers.host !== undefined || raw.httpVersion === '1.0') return undefined;
  return badRequest('The `Host` header is missing.');
}

function badRequest(message: string): DomainError {
  return new DomainError('bad_request', message);
}

/** `rawHeaders` has names and values in turn. */
function repeatedHeader(rawHeaders: string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (seen.has(lower)) return name;
    if (singleHeaders.has(lower)) seen.add(lower);
  }
  return undefined;
}
