import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';

const { FST_ERR_CTP_BODY_TOO_LARGE: BodyTooLarge } = errorCodes;

/** Answers `Expect: 100-continue` only if the service will read the body: after the key, the limits and its size. */
export function answerExpectContinue(fastify: FastifyInstance): void {
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
