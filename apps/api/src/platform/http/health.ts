import type { FastifyInstance } from 'fastify';
import { databaseAway, DomainError } from '../errors/domain-error.js';
import type { Connections } from './connections.js';

const stopping = new DomainError('service_unavailable', 'The service is stopping. Try again in 1 second.', {
  retryAfter: 1,
});

/** Serves /healthz, and /readyz, which also needs the database. `ping` rejects when the database does not respond in time. */
export function serveHealth(fastify: FastifyInstance, connections: Connections, ping: () => Promise<void>): void {
  fastify.get('/healthz', { config: { public: true } }, () => ({ status: 'ok' }));
  fastify.get('/readyz', { config: { public: true } }, async () => {
    if (connections.isDraining) throw stopping;
    await ping().catch((cause: unknown) => {
      throw databaseAway({ cause });
    });
    return { status: 'ok' };
  });
}
