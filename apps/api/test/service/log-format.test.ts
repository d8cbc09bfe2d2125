import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { apiKey } from '@petstore/processes/service-process.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = (await TestService.prepareWithSchema()).with({ LOG_LEVEL: 'info' });
});
beforeEach(() => void (service.output = ''));
afterAll(() => service.remove());

const isJson = (line: string) => line.startsWith('{"level":');
const lines = () => service.output.split(/\r?\n/).filter((line) => line !== '');

describe('LOG_FORMAT', () => {
  // Where `script` is that of util-linux, as on Debian.
  it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
    'is JSON at a terminal with json, which still shows the first key',
    async () => {
      const terminal = service.with({ LOG_FORMAT: 'json', BOOTSTRAP_API_KEY: '' }).launchAtTerminal();
      await expect.poll(() => service.output).toMatch(/#key=\S+\r\n/);
      expect(service.output).toMatch(/shown this once: psk_[\w-]{43}\r\n/);
      expect(lines().filter((line) => !isJson(line) && !line.includes('key'))).toEqual([]);
      const ended = once(terminal, 'close');
      terminal.stdin?.write('\u0003');
      expect(await ended).toEqual([0, null]);
    },
  );

  it('is text without a terminal with pretty', async () => {
    await service.with({ LOG_FORMAT: 'pretty', BOOTSTRAP_API_KEY: apiKey }).start();
    await service.api.get('/v1/pets');
    expect(await service.end('SIGTERM')).toBe(0);
    expect(lines().filter(isJson)).toEqual([]);
    expect(service.output).toMatch(/INFO: GET \/v1\/pets 200 [\d.]+ ms\n/);
    expect(lines().at(-1)).toBe('Stopped.');
  });
});
