import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { chooseImportFile, holdCreates, importStep, startImport } from './support/import-steps.js';
import { failures } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

// With its own service, which it kills.
beforeAll(async () => {
  store = await Store.start();
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
afterEach(() => page.close());

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const animalNames = (count: number) => Array.from({ length: count }, (_, index) => `Animal ${index + 1}`);
const isStored = (count: number) => expect.poll(() => store.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
const table = (count: number, category: number) =>
  ['name,categoryId', ...animalNames(count).map((name) => `${name},${category}`)].join('\n');

/** Answers the question of the browser after an action. */
async function answer(action: () => Promise<unknown>, choice: 'accept' | 'dismiss'): Promise<string> {
  const answered = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog[choice]();
    return dialog.type();
  });
  const [type] = await Promise.all([answered, action()]);
  return type;
}

it('an import of 300 rows waits while the service is killed and restarted, and adds each valid one once', async () => {
  ({ page } = await store.visit('/import'));
  const isRefused = (index: number) => index % 20 === 19;
  const rows = animalNames(300).map((name, index) => `${name},${isRefused(index) ? 'seven' : 5000}`);
  await chooseImportFile(page, ['name,categoryId', ...rows].join('\n'));
  await button('Check rows').click();
  await step('285 animals ready to import').waitFor();
  expect(await store.count()).toBe(0);
  await button('Import 285 animals').click();
  await isStored(50);
  await store.service.end('SIGKILL');
  await page.getByText("Petstore doesn't answer. The import continues when it does.").waitFor();
  await store.service.start();
  await step('Import finished').waitFor({ timeout: 60_000 });
  await page.getByText('285 added, 15 refused').waitFor();
  const added = animalNames(300).filter((_, index) => !isRefused(index));
  expect(await store.names(5000n)).toEqual(added.toSorted());
});

it('an import continues after its tab was closed, and adds nothing twice', async () => {
  ({ page } = await store.visit('/import'));
  const first = page;
  page = await first.context().newPage();
  await page.goto(store.url(`/import#key=${key}`));
  const before = await store.count();
  await startImport(page, table(300, 3000));
  await isStored(before + 30);
  await page.close();
  page = first;
  await page.reload();
  await step('Continue the import of delivery.csv').waitFor();
  await button('Continue import').click();
  await step('Import finished').waitFor({ timeout: 60_000 });
  await page.getByText('300 added, 0 refused').waitFor();
  expect(await store.names(3000n)).toEqual(animalNames(300).toSorted());
});

it('an import can be paused and discarded, and the browser asks before the person leaves', async () => {
  ({ page } = await store.visit('/import'));
  const creates = await holdCreates(page);
  await startImport(page, table(60, 3001));
  await creates.first;
  await page.getByText('0 added, 0 refused, 60 remaining').waitFor();
  const found = await violationsInAllLooks(page);
  expect(await answer(() => page.close({ runBeforeUnload: true }), 'dismiss')).toBe('beforeunload');
  await button('Pause').click();
  creates.release();
  await step('Import paused').waitFor();
  expect((await store.names(3001n)).length).toBeLessThan(60);
  expect([...found, ...(await violationsInAllLooks(page))]).toEqual([]);
  await answer(() => button('Discard import').click(), 'dismiss');
  await page.reload();
  await step('Continue the import of delivery.csv').waitFor();
  await answer(() => button('Discard import').click(), 'accept');
  await step('Choose your animals').waitFor();
  await page.reload();
  await step('Choose your animals').waitFor();
});
