import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../errors/domain-error.js';

/**
 * Gives every known path an answer to the methods it does not have: OPTIONS tells which it has, the others are 405.
 * Returns the step to call once all routes are there.
 */
export function answerOtherMethods(fastify: FastifyInstance): () => void {
  const methodsOf = collectRoutes(fastify);
  return () => {
    for (const method of METHODS) {
      if (!fastify.supportedMethods.includes(method)) fastify.addHttpMethod(method);
    }
    for (const [url, methods] of methodsOf) addOtherMethods(fastify, url, [...methods]);
  };
}

function collectRoutes(fastify: FastifyInstance): Map<string, Set<string>> {
  const methodsOf = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url === '*') return;
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  return methodsOf;
}

function addOtherMethods(fastify: FastifyInstance, url: string, methods: string[]): void {
  const allow = [...methods, 'OPTIONS'].join(', ');
  const config = { public: true };
  fastify.route({
    url,
    method: 'OPTIONS',
    config,
    // Before the body is read, as below: it means nothing here.
    onRequest: (_request, reply) => void reply.status(204).header('Allow', allow).send(),
    handler: () => undefined,
  });
  const message = `This path does not have that method; it has ${allow}.`;
  fastify.route({
    url,
    method: fastify.supportedMethods.filter((method) => method !== 'OPTIONS' && !methods.includes(method)),
    config,
    // Before the body is read: whatever it holds, the method is what is wrong.
    onRequest: (_request, reply, done) => {
      void reply.header('Allow', allow);
      done(new DomainError('method_not_allowed', message));
    },
    handler: () => undefined,
  });
}
