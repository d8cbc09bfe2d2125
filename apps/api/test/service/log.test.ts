import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedEnvironment, isReady, serviceDirectory } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../support/scratch-database.js';
import { apiOf } from '../support/service.js';

// Such a service starts sooner than with an embedded database.
const database = useDatabase();
let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
});
afterAll(() => service.remove());

it('LOG_FORMAT=pretty logs text, also without a terminal, in which a request cannot forge a line', async () => {
  await service.with({ LOG_FORMAT: 'pretty' }).start();
  await apiOf(service).get('/v1/pets');
  await apiOf(service).get('/%1b%5b2J%0a09:09:09%20INFO:%20forged');
  expect(await service.end('SIGTERM')).toBe(0);
  const lines = service.output.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
  expect(service.output).toMatch(/INFO: GET \/v1\/pets 200 [\d.]+ ms\n/);
  expect(service.output).toContain(String.raw`INFO: GET /\u001b[2J\u000a09:09:09 INFO: forged 404`);
  expect(lines.at(-1)).toBe('Stopped.');
});

/** A pipe that is open for reading, but not read. */
function openStuckPipe(): number {
  const path = join(service.dataDir, 'log');
  execFileSync('mkfifo', [path]);
  return openSync(path, constants.O_RDWR);
}

it.runIf(process.platform === 'linux')(
  'a service with a log that nothing reads responds, and ends after SIGTERM',
  async () => {
    service.with({ LOG_FORMAT: 'json', SHUTDOWN_GRACE_MS: '3000' });
    const env = isolatedEnvironment(service.variables);
    const child = spawn(process.execPath, [join(serviceDirectory, 'main.js')], {
      env,
      stdio: ['ignore', openStuckPipe(), 'ignore'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => isReady(`${service.url}/readyz`)).toBe(true);
    const request = async () => (await service.fetch(`/v1/${'x'.repeat(400)}`)).text();
    // More than a pipe holds.
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, request));
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  },
);
