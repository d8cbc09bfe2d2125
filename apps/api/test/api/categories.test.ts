import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Category } from '@petstore/contracts';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('may take longer than the statements of requests', async () => {
    await service.sql('ALTER TABLE pet RENAME TO stored');
    onTestFinished(() => service.sql('DROP VIEW pet; ALTER TABLE stored RENAME TO pet').then(() => undefined));
    await service.sql(`CREATE VIEW pet AS SELECT 7 AS category_id, 'sold' AS status FROM pg_sleep(0.5);
      GRANT SELECT ON pet TO PUBLIC`);
    const { api } = await startOn(database.url, { databaseStatementTimeoutMs: 400 });
    expect((await api.get('/categories.json')).text).toBe('[{"id":7,"name":null,"available":0,"pending":0,"sold":1}]');
  });
});

describe('the computation of counts', () => {
  const warn = vi.fn();
  const count = vi.fn<() => Promise<Counts>>();
  let categories: CategoriesService;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    count.mockReset().mockRejectedValueOnce(new Error('away'));
    categories = new CategoriesService({ count } as never, { categoriesFile: undefined } as never, { warn } as never);
  });
  afterEach(() => void vi.useRealTimers());

  const countsOf = (animals: bigint): Counts => ({
    animals,
    categories: [{ id: 7n, available: 0n, pending: 0n, sold: animals }],
  });
  const shown = async () => (await categories.list())[0]?.sold;

  it('begins again after an error, once for concurrent requests, and again after 10 s', async () => {
    await expect(shown()).rejects.toThrow('away');
    count.mockResolvedValueOnce(countsOf(1n)).mockResolvedValueOnce(countsOf(2n));
    const [first, concurrent] = [shown(), shown()];
    expect(await first).toBe(1n);
    expect(await concurrent).toBe(1n);
    vi.advanceTimersByTime(9_999);
    expect(await shown()).toBe(1n);
    vi.advanceTimersByTime(1);
    expect(await shown()).toBe(2n);
    expect(count).toHaveBeenCalledTimes(3);
  });

  it('of more than 1,000,000 animals lets no request wait while there are earlier counts', async () => {
    await expect(shown()).rejects.toThrow('away');
    count.mockResolvedValueOnce(countsOf(1_000_001n));
    expect(await shown()).toBe(1_000_001n);
    vi.advanceTimersByTime(10_000);
    let finish = (_counts: Counts) => {};
    const computation = new Promise<Counts>((resolve) => {
      finish = resolve;
    });
    count.mockRejectedValueOnce(new Error('canceled')).mockReturnValueOnce(computation);
    expect(await shown()).toBe(1_000_001n);
    await expect.poll(() => warn.mock.calls.length).toBe(1);
    vi.advanceTimersByTime(10_000);
    // The first of these requests starts the computation.
    expect(await shown()).toBe(1_000_001n);
    expect(await shown()).toBe(1_000_001n);
    finish(countsOf(2_000_000n));
    await expect.poll(shown).toBe(2_000_000n);
    expect(count).toHaveBeenCalledTimes(4);
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
      fault: expect.stringContaining(
        `CATEGORIES_FILE: cannot read ${file}: line 3: number must be an integer`,
      ) as string,
    });
    await rm(file);
    await expect.poll(reloadErrors).toHaveLength(2);
    expect(await list()).toEqual([{ id: 1n, name: 'Hunde' }]);
    await writeFile(file, '2,Cats\n');
    await expect.poll(list).toEqual([{ id: 2n, name: 'Cats' }]);
  });

  it('shows a new name with its counts, also of a category that had too few animals for the list', async () => {
    await service.sql('TRUNCATE pet CASCADE');
    await service.sql(`INSERT INTO pet (name, category_id) SELECT 'Rex', 1000 + n / 2 FROM generate_series(0, 1999) n`);
    await service.sql(`INSERT INTO pet (name, category_id) VALUES ('Rex', 1)`);
    const { api } = await startOn(database.url, { categoriesFile: file });
    const find = async () => ((await api.get('/categories.json')).json as Category[]).find(({ id }) => id === 1n);
    expect(await find()).toBeUndefined();
    await replace('1,Dogs\n');
    const added = await vi.waitUntil(find, { timeout: 50_000 });
    expect(added).toEqual({ id: 1n, name: 'Dogs', available: 1n, pending: 0n, sold: 0n });
  });
});
