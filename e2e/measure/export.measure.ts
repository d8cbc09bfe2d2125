import { stat } from 'node:fs/promises';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Store } from '../support/store.js';

const count = 100_000;
/** A busy machine needs minutes. */
const timeout = 1_800_000;
/** The animals in the file when the memory is measured. The first ones load and compile code. */
const samples = [10_000, 25_000, 50_000, 75_000, 95_000];
/** The growth in MB. A page that keeps the file grows by more: by 3 MB of CSV, or 29 MB of Excel before it is compressed. */
const formats = [
  ['Excel (.xlsx)', 4],
  ['CSV', 2],
] as const;

const seed = `INSERT INTO pet (name, category_id, status)
  SELECT 'Animal ' || n, n % 50, (ARRAY['available', 'pending', 'sold']::"PetStatus"[])[n % 3 + 1]
  FROM generate_series(1, ${count}) n`;

let store: Store;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  store = await Store.start();
  await store.sql(seed);
  ({ page } = await store.visit('/export'));
  session = await page.context().newCDPSession(page);
});
afterAll(() => store.close());

it.for(formats)(
  `the memory of a page that exports ${count} animals as %s is flat`,
  { timeout },
  async ([format, maxGrowthMb]) => {
    await page.getByRole('radio', { name: format }).check();
    const megabytes = [await heapOf(session)];
    const download = page.waitForEvent('download', { timeout });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    for (const exported of samples) {
      const isReached = (value: number) =>
        Number(/([\d,]+) of/.exec(document.body.innerText)?.[1]?.replaceAll(',', '')) >= value;
      await page.waitForFunction(isReached, exported, { timeout });
      megabytes.push(await heapOf(session));
    }
    const file = await (await download).path();
    await page.getByRole('alert').getByText('Exported 100,000 animals').waitFor();
    megabytes.push(await heapOf(session));
    const points = ['before', ...samples, 'after'].map((point, index) => `${point} ${megabytes[index]?.toFixed(2)}`);
    console.log(`heap in MB: ${points.join(', ')}; file ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
    const [, first = 0, ...later] = megabytes;
    expect(Math.max(...later) - first).toBeLessThan(maxGrowthMb);
  },
);

/** The JavaScript memory of the page in MB, after a garbage collection. */
async function heapOf(watched: CDPSession): Promise<number> {
  await watched.send('HeapProfiler.collectGarbage');
  const { usedSize } = await watched.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
