import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PetstoreClient } from '@petstore/client';
import { checkFile, type InvalidLine } from '@petstore/import-export/check-file.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import type { Journal } from '@petstore/import-export/journal.js';
import { blobSource } from '@petstore/import-export/source.js';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { key, Store } from '../support/store.js';
import { heapOf } from './heap.js';

const count = 100_000;
/** A busy machine needs minutes. */
const timeout = 1_800_000;
/** The animals in the file when the memory is measured. The first ones load and compile code. */
const samples = [10_000, 25_000, 50_000, 75_000, 95_000];
/** The file has 5 MB, so a page that keeps it grows by more. */
const maxGrowthMb = 2;

const seed = `INSERT INTO pet (name, category_id, status)
  SELECT (ARRAY['=SUM(A1)', '''quoted', 'Zoë, "the" first', E'two\\nlines', '🐈', ' spaces '])[n % 6 + 1] || n,
    9223372036854775807 - n % 50, (ARRAY['available', 'pending', 'sold']::"PetStatus"[])[n % 3 + 1]
  FROM generate_series(1, ${count}) n`;

/** One value for all animals, in any order. */
const digest = `SELECT count(*)::int AS count, md5(string_agg(pet, ',' ORDER BY pet)) AS md5
  FROM (SELECT jsonb_build_array(name, category_id, status)::text COLLATE "C" AS pet FROM pet) AS pets`;

/** A journal that remembers nothing: this import is not interrupted. */
const noJournal: Journal = {
  header: () => Promise.resolve(undefined),
  open: (header) => Promise.resolve(header),
  async *entries() {},
  append: () => Promise.resolve(),
};

const failOnInvalidLine = ({ line, faults }: InvalidLine) => {
  throw new Error(`Line ${line}: ${JSON.stringify(faults)}`);
};

let folder: string;
let file: string;
let store: Store;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-export-'));
  file = join(folder, 'animals.csv');
  store = await Store.start();
  await store.sql(seed);
  ({ page } = await store.visit('/export'));
  session = await page.context().newCDPSession(page);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const exportButton = () => page.getByRole('button', { name: 'Export', exact: true });
const progress = () => page.getByRole('progressbar', { name: 'Export' });

async function reach(exported: number): Promise<void> {
  await page.waitForFunction((value) => (document.querySelector('progress')?.value ?? 0) >= value, exported, {
    timeout,
  });
}

it(
  `the memory of a page that exports ${count} animals is flat`,
  async () => {
    const megabytes = [await heapOf(session)];
    const download = page.waitForEvent('download', { timeout });
    await exportButton().click();
    for (const exported of samples) {
      await reach(exported);
      megabytes.push(await heapOf(session));
    }
    await (await download).saveAs(file);
    await page.getByText('Exported 100,000 animals.').waitFor();
    megabytes.push(await heapOf(session));
    const points = ['before', ...samples, 'after'].map((point, index) => `${point} ${megabytes[index]?.toFixed(2)}`);
    console.log(`heap in MB: ${points.join(', ')}; file ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
    const [, first = 0, ...later] = megabytes;
    expect(Math.max(...later) - first).toBeLessThan(maxGrowthMb);
  },
  timeout,
);

it('a canceled export saves nothing and frees its memory', async () => {
  const before = await heapOf(session);
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await exportButton().click();
  await progress().waitFor();
  await reach(20_000);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Export canceled. No file was saved.').waitFor();
  expect(downloads).toBe(0);
  expect((await heapOf(session)) - before).toBeLessThan(maxGrowthMb);
});

it(
  'the import of the file into another store gives the same animals',
  async () => {
    const other = await Store.start();
    try {
      const source = blobSource(await openAsBlob(file));
      const serviceUrl = `${other.service.url}/v1`;
      const client = new PetstoreClient({ baseUrl: serviceUrl, apiKey: key });
      const { created } = await importPets(await checkFile(source, failOnInvalidLine), {
        client,
        serviceUrl,
        apiKeyId: '1',
        journal: noJournal,
      });
      expect(created).toBe(count);
      expect(await other.sql(digest)).toEqual(await store.sql(digest));
    } finally {
      await other.close();
    }
  },
  timeout,
);
