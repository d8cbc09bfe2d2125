import { readdir, readFile } from 'node:fs/promises';
import { execute } from '@petstore/processes/database.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = (await TestService.prepareOnServer()).with({ LOG_LEVEL: 'trace' });
  await service.start();
  for (const path of ['/v1/pets', `/v1/${apiKey}`, `/v1/pets?key=${apiKey}`]) await service.fetch(path);
});
afterAll(() => service.remove());

/** The command line of a process, and the titles of its threads. */
async function titlesOf(pid: number): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const files = [`/proc/${pid}/cmdline`, ...threads.map((thread) => `/proc/${pid}/task/${thread}/comm`)];
  return Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
}

async function rowsOf(table: string): Promise<string[]> {
  const url = service.variables['DATABASE_URL'] ?? '';
  const rows = await execute<{ row: string }>(url, `SELECT ${table}::text AS row FROM ${table}`);
  return rows.map(({ row }) => row);
}

describe.runIf(process.platform === 'linux')('a key that the service uses', () => {
  it.each([
    ['the log at the level trace', () => [service.output]],
    ['the titles of its processes', () => titlesOf(service.pid)],
    ['a session of the database', () => rowsOf('pg_stat_activity')],
    ['a row of the table of keys', () => rowsOf('api_key')],
  ])('is not in %s', async (_place, read) => {
    const text = (await read()).join('\n');
    expect(text.length).toBeGreaterThan(10);
    expect(text).not.toContain(apiKey);
  });
});
