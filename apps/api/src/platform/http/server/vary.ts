import type { FastifyReply } from 'fastify';

/** Adds a request header to `Vary`, which may list others already. */
export function addVary(reply: FastifyReply, field: string): void {
  const others = reply.getHeader('vary');
  void reply.header('Vary', typeof others === 'string' ? `${field}, ${others}` : field);
}
