import { expect, it, onTestFinished } from 'vitest';
import { TestService } from '../support/test-service.js';

it('LOG_FORMAT=pretty logs text, also without a terminal', async () => {
  const service = await TestService.prepareOnServer();
  onTestFinished(() => service.remove());
  await service.with({ LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' }).start();
  await service.api.get('/v1/pets');
  expect(await service.end('SIGTERM')).toBe(0);
  const lines = service.output.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
  expect(service.output).toMatch(/INFO: GET \/v1\/pets 200 [\d.]+ ms\n/);
  expect(lines.at(-1)).toBe('Stopped.');
});
