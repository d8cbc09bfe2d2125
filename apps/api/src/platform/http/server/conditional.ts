import type { FastifyInstance, onSendHookHandler } from 'fastify';
import fresh from 'fresh';
import xxhash from 'xxhash-wasm';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer carries an ETag, and 304 stands for one the client already has (RFC 9110, section 13). */
    conditional?: boolean;
  }
}

/** ETag and 304 for the routes that ask for them by `conditional`, and are added later. */
export async function addConditionalAnswers(fastify: FastifyInstance): Promise<void> {
  // 64 bits are enough where nobody gains by two texts with one hash; sha1 took 5 % of the time of a page.
  const hasher = await xxhash();
  const tagOf = rememberLast((text) => `"${hasher.h64ToString(text)}"`);
  fastify.addHook('onRoute', (route) => {
    if (route.config?.conditional === true) route.onSend = [answerConditionally, route.onSend ?? []].flat();
  });

  const answerConditionally: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode !== 200) return done(null, payload);
    // The Link header is part of what is answered: a full last page gets a next one without changing its body.
    const etag = tagOf(`${String(reply.getHeader('link') ?? '')}\n${String(payload)}`);
    void reply
      .header('etag', etag)
      .header('cache-control', 'private, no-cache')
      .header('vary', vary(reply.getHeader('vary')));
    // Only the tag decides: a client's Cache-Control: no-cache asks caches, not the origin.
    const tags = request.headers['if-none-match'];
    if (tags === undefined || !fresh({ 'if-none-match': tags }, { etag })) return done(null, payload);
    void reply.status(304).removeHeader('content-type');
    // Of an answer to HEAD Fastify still measures the body before it drops it.
    done(null, request.method === 'HEAD' ? payload : null);
  };
}

/** Requests that shared a page follow each other with the same text. */
function rememberLast(make: (text: string) => string): (text: string) => string {
  let last = { text: '', made: make('') };
  return (text) => {
    if (text !== last.text) last = { text, made: make(text) };
    return last.made;
  };
}

function vary(others: unknown): string {
  return typeof others === 'string' ? `Authorization, ${others}` : 'Authorization';
}
