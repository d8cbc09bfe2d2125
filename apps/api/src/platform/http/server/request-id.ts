import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const usable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id a client gave its request where it can be used, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && usable.test(given) ? given : randomUUID();
}
