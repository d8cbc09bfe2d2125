import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Ends the app: nothing new is accepted, what was accepted is answered, each connection closes behind its answer.
 * After `graceMs` the connections that are left are cut.
 */
export async function drain(app: NestFastifyApplication, graceMs: number): Promise<void> {
  const cut = setTimeout(() => app.getHttpServer().closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}
