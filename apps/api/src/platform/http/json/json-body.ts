import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';
import { parseJson } from './int64-json.js';

/** Bodies are JSON in UTF-8 and nothing else: any other media type is 415. */
export function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, read(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function read(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'The body is compressed; send it without Content-Encoding.');
  }
  if (body.length === 0) throw new DomainError('invalid_json', 'The body is empty; send one JSON object.');
  if (!isUtf8(body)) throw new DomainError('invalid_json', 'The body is not valid UTF-8.');
  try {
    return parseJson(body.toString());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DomainError('invalid_json', `The body is not one JSON text: ${reason}.`, { cause });
  }
}
