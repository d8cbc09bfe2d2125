import { expect, it } from 'vitest';
import { shortenProxyErrors } from '../dev.mjs';

it('npm run dev prints one line for a request that a restart of the API interrupts, and other errors in full', () => {
  const printed = [];
  const logger = shortenProxyErrors({ error: (message) => printed.push(message) });
  const error = new Error('read ECONNRESET');
  logger.error(`http proxy error: /v1/pets\n${error.stack}`, { error });
  logger.error('Internal server error: x\n  at y');
  expect(printed).toEqual(['http proxy error: /v1/pets (read ECONNRESET)', 'Internal server error: x\n  at y']);
});
