import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const valid = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's request id if it is valid, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && valid.test(given) ? given : randomUUID();
}
