import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { chooseImportFile, holdCreates, importStep, startImport } from './support/import-steps.js';
import { failures, signOut } from './support/page.js';
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

/** An import of 60 animals that has begun, and is paused after `whileHeld`. */
async function pauseImport(content: string, whileHeld?: () => Promise<void>): Promise<void> {
  ({ page } = await store.visit('/import'));
  const creates = await holdCreates(page);
  await startImport(page, content);
  await creates.first;
  await whileHeld?.();
  await button('Pause').click();
  creates.release();
  await step('Import paused').waitFor();
}

it('an import waits while the service is killed and restarted, and adds each valid row once', async () => {
  ({ page } = await store.visit('/import'));
  const isRefused = (index: number) => index % 20 === 19;
  const rows = animalNames(300).map((name, index) => `${name},${isRefused(index) ? 'seven' : 5000}`);
  await startImport(page, ['name,categoryId', ...rows].join('\n'));
  await isStored(50);
  await store.service.end('SIGKILL');
  await page.getByText("Petstore doesn't answer. The import continues when it does.").waitFor();
  await store.service.start();
  await step('285 animals added').waitFor({ timeout: 60_000 });
  const added = animalNames(300).filter((_, index) => !isRefused(index));
  expect(await store.names(5000n)).toEqual(added.toSorted());
});

/** Another one for each attempt of the test. */
let category = 3100;

it(
  'an import of 2,500 rows continues after two reloads and in two tabs, and adds nothing twice',
  { timeout: 300_000 },
  async () => {
    category += 1;
    ({ page } = await store.visit('/import'));
    const before = await store.count();
    await startImport(page, table(2500, category));
    for (const count of [300, 900]) {
      await isStored(before + count);
      await page.reload();
      await step('Continue the import of delivery.csv').waitFor();
      if (count === 300) await button('Continue import').click();
    }
    const other = await page.context().newPage();
    await other.goto(`${page.url()}#key=${key}`);
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Continue import' }).click();
    for (const tab of [page, other]) await importStep(tab, '2,500 animals added').waitFor({ timeout: 120_000 });
    expect(await store.names(BigInt(category))).toEqual(animalNames(2500).toSorted());
  },
);

it('the browser asks before the person leaves. A paused import can be discarded, and a sign-out forgets it', async () => {
  const leave = async () => {
    await page.getByText('0 of 60 animals').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    expect(await answer(() => page.close({ runBeforeUnload: true }), 'dismiss')).toBe('beforeunload');
  };
  await pauseImport(table(60, 3001), leave);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await answer(() => button('Discard import').click(), 'dismiss');
  await page.reload();
  await step('Continue the import of delivery.csv').waitFor();
  await answer(() => button('Discard import').click(), 'accept');
  await step('Choose your animals').waitFor();
  await chooseImportFile(page, table(60, 3001));
  await step('Match the columns of delivery.csv').waitFor();
  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.keyboard.press('Enter');
  await step('Choose your animals').waitFor();
});

it('an import with another key is compared with the store again, and leaves out what it has added', async () => {
  await pauseImport(table(60, 3002));
  const added = (await store.names(3002n)).length;
  const otherKey = await store.newKey();
  await answer(() => page.goto(store.url(`/import#key=${otherKey}`)), 'accept');
  await button('Continue import').click();
  await page.getByText('They are left out, because an earlier import of this file was interrupted').waitFor();
  await button(`Import ${60 - added} animals`).click();
  await step(`${60 - added} animals added`).waitFor();
  expect(await store.names(3002n)).toEqual(animalNames(60).toSorted());
});

it('a file that is too large to be stored is chosen again', async () => {
  const [header, ...rows] = table(60, 3003).split('\n');
  const note = 'x'.repeat(1_000_000);
  const content = [`${header},note`, ...rows.map((row, index) => `${row},${index < 22 ? note : ''}`)].join('\n');
  await pauseImport(content);
  await page.reload();
  await step('Choose delivery.csv again').waitFor();
  await chooseImportFile(page, content);
  await step('Continue the import of delivery.csv').waitFor();
  await button('Continue import').click();
  await step('60 animals added').waitFor();
  expect(await store.names(3003n)).toEqual(animalNames(60).toSorted());
});
