import { afterAll, beforeAll, expect, it } from 'vitest';
import { importStep, startImport } from '../support/import-steps.js';
import { Store } from '../support/store.js';

/** A longer task delays the reaction to a key or a click noticeably. */
const limitMs = 100;
const count = 5000;

const fastCount = 1000;
const fastMs = 5000;

let store: Store;
beforeAll(async () => {
  store = await Store.start();
});
afterAll(() => store.close());

declare global {
  interface Window {
    longTasks: number[];
  }
}

it(`an import of ${count} rows adds each valid row once, and does not block the page`, async () => {
  const { page } = await store.visit('/import');
  await importStep(page, 'Choose your animals').waitFor();
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask' });
  });
  const rows = Array.from({ length: count }, (_, index) => `Animal ${index},${index % 20 === 19 ? 'seven' : 7}`);
  await startImport(page, ['name,category', ...rows].join('\n'));
  await importStep(page, 'Import finished').waitFor({ timeout: 300_000 });
  await page.getByText('4,750 added, 250 refused').waitFor();
  const names = Array.from({ length: count }, (_, index) => `Animal ${index}`).filter((_, index) => index % 20 !== 19);
  expect(await store.names(7n)).toEqual(names.toSorted());
  const longTasks = await page.evaluate(() => window.longTasks);
  console.log(`tasks over 50 ms: ${longTasks.length === 0 ? 'none' : `${longTasks.join(', ')} ms`}`);
  expect(Math.max(0, ...longTasks)).toBeLessThanOrEqual(limitMs);
});

it(`an import of ${fastCount} rows takes at most ${fastMs / 1000} s`, async () => {
  const { page } = await store.visit('/import');
  const rows = Array.from({ length: fastCount }, (_, index) => `Fast ${index},8`);
  await startImport(page, ['name,category', ...rows].join('\n'));
  const start = performance.now();
  await importStep(page, 'Import finished').waitFor({ timeout: 300_000 });
  const ms = performance.now() - start;
  console.log(
    `${fastCount} rows: ${(ms / 1000).toFixed(1)} s, ${Math.round((fastCount / ms) * 1000)} animals per second`,
  );
  expect(await store.names(8n)).toHaveLength(fastCount);
  expect(ms).toBeLessThanOrEqual(fastMs);
});
