import { isUtf8 } from 'node:buffer';
import { parseJson } from '@petstore/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';

/** Accepts JSON in UTF-8 only: any other media type is 415. */
export function parseJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parseBody(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new DomainError('unsupported_media_type', 'Compressed bodies are not supported. Omit Content-Encoding.');
  }
  if (body.length === 0) throw new DomainError('invalid_json', 'The body is empty. Send a JSON object.');
  if (!isUtf8(body)) throw new DomainError('invalid_json', 'The body is not valid UTF-8.');
  try {
    return parseJson(body.toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DomainError('invalid_json', `The body is not valid JSON: ${cause.message}.`, { cause });
  }
}
