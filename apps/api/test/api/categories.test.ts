import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Category } from '@petstore/contracts';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Counts } from '../../src/features/categories/categories.repository.js';
import { CategoriesService } from '../../src/features/categories/categories.service.js';
import { useFolder } from '../support/folder.js';
import { useDatabase } from '../support/scratch-database.js';
import { startOn, useAppOn } from '../support/test-app.js';

const database = useDatabase();
const folder = useFolder();
let file: string;
beforeAll(async () => {
  file = join(folder.path, 'categories.csv');
  await writeFile(file, 'number,name\n9223372036854775807,Dogs\n-7,"Cats, ""small"""\n');
});
const service = useAppOn(
  () => database.url,
  () => ({ categoriesFile: file, rateLimitPerMinute: 1_000_000 }),
);

describe('GET /categories.json', () => {
  it('returns the categories of the file in its order, with exact integers', async () => {
    const { status, text, headers } = await service.api.get('/categories.json');
    expect(status).toBe(200);
    expect(text).toBe(
      '[{"id":9223372036854775807,"name":"Dogs","available":0,"pending":0,"sold":0},' +
        '{"id":-7,"name":"Cats, \\"small\\"","available":0,"pending":0,"sold":0}]',
    );
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('has the limits and headers of every request with a key', async () => {
    const { headers } = await service.api.get('/categories.json');
    expect(headers.get('ratelimit-policy')).toBe('"requests";q=1000000;w=60');
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Authorization']);
    const again = await service.api.get('/categories.json', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('the counts of GET /categories.json', () => {
  /** The response of an app that has counted nothing yet. */
  const counted = async () => {
    const { api } = await startOn(database.url, { categoriesFile: file });
    return (await api.get('/categories.json')).text.replaceAll('"', '');
  };
  beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

  it('are those of each status: named categories first, then the others by number of animals', async () => {
    await service.sql(
      `INSERT INTO pet (name, category_id, status) SELECT 'Rex', id, status::"PetStatus" FROM (VALUES
         (-7, 'available'), (-7, 'sold'), (-7, 'sold'), (3, 'pending'), (1, 'pending'), (9223372036854775807, 'sold'),
         (-9223372036854775808, 'available'), (-9223372036854775808, 'pending'), (-9223372036854775808, 'sold'),
         (-9223372036854775808, 'available'), (-9223372036854775808, 'pending'), (-9223372036854775808, 'sold')
       ) AS added (id, status)`,
    );
    expect(await counted()).toBe(
      '[{id:9223372036854775807,name:Dogs,available:0,pending:0,sold:1},' +
        '{id:-7,name:Cats, \\small\\,available:1,pending:0,sold:2},' +
        '{id:-9223372036854775808,name:null,available:2,pending:2,sold:2},' +
        '{id:1,name:null,available:0,pending:1,sold:0},' +
        '{id:3,name:null,available:0,pending:1,sold:0}]',
    );
  });

  it('are those of at most 1,000 categories without a name, and of every one with a name', async () => {
    await service.sql(`INSERT INTO pet (name, category_id) SELECT 'Rex', n % 1500 FROM generate_series(0, 1999) n`);
    await service.sql(`INSERT INTO pet (name, category_id) VALUES ('Rex', -7)`);
    const text = await counted();
    expect(text.match(/name:null/g)).toHaveLength(1000);
    expect(text).toContain('{id:-7,name:Cats, \\small\\,available:1,');
    // Those with most animals.
    expect(text.match(/name:null,available:2,/g)).toHaveLength(500);
  });

  it('are read again after an error, once for concurrent requests, and again after 10 s', async () => {
    const nothing: Counts = { total: { available: 0n, pending: 0n, sold: 0n }, categories: [] };
    const count = vi.fn<() => Promise<Counts>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue(nothing);
    const categories = new CategoriesService({ count } as never, { categoriesFile: undefined } as never, {} as never);
    await expect(categories.list()).rejects.toThrow('away');
    // Nothing below waits for more than a promise, so that no timer of a service is lost.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      await Promise.all([categories.list(), categories.list(), categories.list()]);
      vi.advanceTimersByTime(9_999);
      await categories.list();
      expect(count).toHaveBeenCalledTimes(2);
      vi.advanceTimersByTime(1);
      await categories.list();
      expect(count).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a change of CATEGORIES_FILE', () => {
  /** Replaces the file at once. The service never reads a part of it. */
  async function replace(content: string): Promise<void> {
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
  }

  const list = async () => {
    const categories = (await service.api.get('/categories.json')).json as Category[];
    return categories.map(({ id, name }) => ({ id, name }));
  };
  const reloadErrors = () => service.logged.filter(({ msg }) => String(msg).startsWith('Cannot reload'));

  it('takes effect when an editor writes to the file, and when another file replaces it', async () => {
    await writeFile(file, '1,Dogs\r\n');
    await expect.poll(list).toEqual([{ id: 1n, name: 'Dogs' }]);
    await replace('1,Hunde\n');
    await expect.poll(list).toEqual([{ id: 1n, name: 'Hunde' }]);
  });

  it('keeps the previous names and logs an error when a line is invalid or the file is missing', async () => {
    await replace('number,name\n1,Dogs\ntwo,Cats\n');
    await expect.poll(reloadErrors).toHaveLength(1);
    expect(reloadErrors()[0]).toMatchObject({
      level: 50,
      faults: [expect.stringContaining(`CATEGORIES_FILE: ${file}: line 3: number must be an integer`) as string],
    });
    await rm(file);
    await expect.poll(reloadErrors).toHaveLength(2);
    expect(await list()).toEqual([{ id: 1n, name: 'Hunde' }]);
    await writeFile(file, '2,Cats\n');
    await expect.poll(list).toEqual([{ id: 2n, name: 'Cats' }]);
  });
});
