import type { FastifyInstance } from 'fastify';

/** Holds requests until the service is ready: it listens before it has its keys. */
export class Gate {
  private isOpen = false;
  private readonly waiting: (() => void)[] = [];

  open(): void {
    this.isOpen = true;
    for (const proceed of this.waiting.splice(0)) proceed();
  }

  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (_request, _reply, done) => {
      if (this.isOpen) done();
      else this.waiting.push(done);
    });
  }
}
