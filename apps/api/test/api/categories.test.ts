import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let folder: string;
let file: string;
let service: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-categories-'));
  file = join(folder, 'categories.csv');
  await writeFile(file, 'number,name\n9223372036854775807,Dogs\n-7,"Cats, ""small"""\n');
  service = await startTestApp({ categoriesFile: file, rateLimitPerMinute: 1_000_000 });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Replaces the file at once. The service never reads a part of it. */
async function replace(content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

const list = async () => (await service.api.get('/categories.json')).json;
const logged = (message: string) => service.logged.filter(({ msg }) => String(msg).startsWith(message));

describe('GET /categories.json', () => {
  it('returns the categories of the file in its order, with exact integers', async () => {
    const { status, text, headers } = await service.api.get('/categories.json');
    expect(status).toBe(200);
    expect(text).toBe('[{"id":9223372036854775807,"name":"Dogs"},{"id":-7,"name":"Cats, \\"small\\""}]');
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('has the limits and headers of every request with a key', async () => {
    const { headers } = await service.api.get('/categories.json');
    expect(headers.get('ratelimit-policy')).toBe('"requests";q=1000000;w=60');
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Authorization']);
    const again = await service.api.get('/categories.json', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('returns 403 insufficient_scope to a key without read', async () => {
    const { key } = await service.keys.create('write only', ['write'], null);
    await service.app.get(ApiKeyRing).reload();
    expect(expectError(await new Api(service.url, key).get('/categories.json'), 'insufficient_scope')).toContain(
      'read',
    );
  });

  it('returns an empty array without CATEGORIES_FILE', async () => {
    const other = await startTestApp();
    expect((await other.api.get('/categories.json')).text).toBe('[]');
    await other.close();
  });
});

describe('a change of CATEGORIES_FILE', () => {
  it('takes effect when an editor writes to the file', async () => {
    await writeFile(file, '1,Dogs\r\n');
    await expect.poll(list).toEqual([{ id: 1n, name: 'Dogs' }]);
  });

  it('takes effect when another file replaces the file', async () => {
    await replace('1,Hunde\n');
    await expect.poll(list).toEqual([{ id: 1n, name: 'Hunde' }]);
  });

  it('keeps the previous names and logs an error when a line is invalid', async () => {
    await replace('number,name\n1,Dogs\ntwo,Cats\n');
    await expect.poll(() => logged('Cannot reload')).toHaveLength(1);
    expect(logged('Cannot reload')[0]).toMatchObject({
      level: 50,
      faults: [expect.stringContaining(`CATEGORIES_FILE: ${file}: line 3: number must be an integer`) as string],
    });
    expect(await list()).toEqual([{ id: 1n, name: 'Hunde' }]);
  });

  it('keeps the previous names while the file is missing, and reads the file that appears again', async () => {
    await rm(file);
    await expect.poll(() => logged('Cannot reload')).toHaveLength(2);
    expect(await list()).toEqual([{ id: 1n, name: 'Hunde' }]);
    await writeFile(file, '2,Cats\n');
    await expect.poll(list).toEqual([{ id: 2n, name: 'Cats' }]);
  });
});
