import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importStep, startImport } from '../support/import-steps.js';
import { Store } from '../support/store.js';

/** A longer task delays the reaction to a key or a click noticeably. */
const limitMs = 200;
const rowCount = 100_000;

const fastCount = 1000;
const fastMs = 5000;

let store: Store;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
  store = await Store.start();
});
afterAll(() => rm(folder, { recursive: true }));
afterAll(() => store.close());

declare global {
  interface Window {
    longTasks: number[];
  }
}

const isStored = (count: number) =>
  expect.poll(() => store.count(), { timeout: 600_000, interval: 1000 }).toBeGreaterThanOrEqual(count);

async function observeTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask' });
  });
}

/** Prints the time since the start, and the tasks over 50 ms. */
async function expectShortTasks(page: Page, what: string, start: number): Promise<void> {
  const longTasks = await page.evaluate(() => window.longTasks.splice(0));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${what}: ${seconds} s, tasks over 50 ms: ${longTasks.join(', ') || 'none'}`);
  expect(Math.max(0, ...longTasks)).toBeLessThanOrEqual(limitMs);
}

it(`an import of ${rowCount} rows with two reloads adds each valid row once, and does not block the page`, async () => {
  const { page } = await store.visit('/import');
  await importStep(page, 'Choose your animals').waitFor();
  await observeTasks(page);
  const path = join(folder, 'animals.csv');
  const rows = Array.from({ length: rowCount }, (_, index) => `Animal ${index},${index % 20 === 19 ? 'seven' : 7}`);
  let start = performance.now();
  await writeFile(path, ['name,category', ...rows].join('\n'));
  await page.getByLabel('File', { exact: true }).setInputFiles(path);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Import 95,000 animals' }).waitFor({ timeout: 60_000 });
  await expectShortTasks(page, 'Choice and check', start);
  start = performance.now();
  await page.getByRole('button', { name: 'Import 95,000 animals' }).click();
  for (const part of [10_000, 30_000]) {
    await isStored(part);
    await expectShortTasks(page, `${part} animals`, start);
    await page.reload();
    await observeTasks(page);
    await page.getByRole('button', { name: 'Continue import' }).click();
  }
  await importStep(page, '95,000 animals added').waitFor({ timeout: 1_200_000 });
  await expectShortTasks(page, 'Import', start);
  const added = await store.sql('SELECT count(*)::int AS rows, count(DISTINCT name)::int AS names FROM pet');
  expect(added).toEqual([{ rows: 95_000, names: 95_000 }]);
}, 2_400_000);

it(`an import of ${fastCount} rows takes at most ${fastMs / 1000} s`, async () => {
  const { page } = await store.visit('/import');
  const rows = Array.from({ length: fastCount }, (_, index) => `Fast ${index},8`);
  await startImport(page, ['name,category', ...rows].join('\n'));
  const start = performance.now();
  await importStep(page, '1,000 animals added').waitFor({ timeout: 300_000 });
  const ms = performance.now() - start;
  console.log(
    `${fastCount} rows: ${(ms / 1000).toFixed(1)} s, ${Math.round((fastCount / ms) * 1000)} animals per second`,
  );
  expect(await store.names(8n)).toHaveLength(fastCount);
  expect(ms).toBeLessThanOrEqual(fastMs);
});
