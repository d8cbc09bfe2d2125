import { expect, it, onTestFinished } from 'vitest';
import { TestService } from '../support/test-service.js';

it('LOG_FORMAT=pretty logs text, also without a terminal', async () => {
  const service = await TestService.prepareOnServer();
  onTestFinished(() => service.remove());
  await service.with({ LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' }).start();
  await service.api.get('/v1/pets');
  await service.api.get('/%1b%5b2J%0a09:09:09%20INFO:%20forged');
  expect(await service.end('SIGTERM')).toBe(0);
  const lines = service.output.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
  expect(service.output).toMatch(/INFO: GET \/v1\/pets 200 [\d.]+ ms\n/);
  // A request cannot forge a line, or control the terminal.
  expect(service.output).toContain(String.raw`INFO: GET /\u001b[2J\u000a09:09:09 INFO: forged 404`);
  expect(lines.at(-1)).toBe('Stopped.');
});
