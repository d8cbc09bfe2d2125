import { isUtf8 } from 'node:buffer';
import { parseJson } from '@petstore/contracts';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

const { FST_ERR_CTP_BODY_TOO_LARGE: BodyTooLarge } = errorCodes;

/** Accepts JSON in UTF-8 only: any other media type is 415. */
export function readJsonBodies(fastify: FastifyInstance): void {
  answerExpectContinue(fastify);
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

/** Answers `Expect: 100-continue` only if the service will read the body: after the key, the limits and its size. */
function answerExpectContinue(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    // A client may send the body even after a rejection. The service could not distinguish it from the next request.
    if (expectsContinue(request)) void reply.header('Connection', 'close');
    done();
  });
  fastify.addHook('preParsing', (request, reply, payload, done) => {
    if (!expectsContinue(request)) return done(null, payload);
    if (Number(request.headers['content-length']) > request.routeOptions.bodyLimit) return done(new BodyTooLarge());
    reply.raw.writeContinue();
    void reply.removeHeader('Connection');
    done(null, payload);
  });
}

function expectsContinue({ headers, raw }: FastifyRequest): boolean {
  return headers.expect?.toLowerCase() === '100-continue' && raw.httpVersion === '1.1';
}
