import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { launchBrowser } from './support/browser.js';
import { chooseImportFile, holdCreates, importStep, startImport } from './support/import-steps.js';
import { failures, holdRequests, openPage, signOut } from './support/page.js';
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

/**
 * The service adds all animals, but its responses to the requests after number `after`, up to number `upTo`, do not
 * arrive. Returns these requests, which still wait for a response.
 */
async function loseResponses(after: number, upTo = Infinity): Promise<Route[]> {
  let sent = 0;
  const lost: Route[] = [];
  await page.route('**/v1/pets', async (route) => {
    sent += 1;
    if (sent <= after || sent > upTo) return route.fallback();
    const response = await route.fetch({ url: `${store.service.url}/v1/pets` });
    if (response.status() === 201) lost.push(route);
  });
  return lost;
}

/** Starts an import of 60 animals, and pauses it after `whileHeld`. */
async function pauseImport(start: () => Promise<void>, whileHeld?: () => Promise<void>): Promise<void> {
  const creates = await holdCreates(page);
  await start();
  await creates.first;
  await whileHeld?.();
  await button('Pause').click();
  creates.release();
  await step('Import paused').waitFor();
}

it('an import waits while the service is killed and restarted, and adds each valid row once', async () => {
  ({ page } = await store.visit('/import'));
  const isRefused = (index: number) => index % 20 === 19;
  const rows = animalNames(100).map((name, index) => `${name},${isRefused(index) ? 'seven' : 5000}`);
  // The message goes away before the import is done.
  const isLast = (route: Route) => route.request().postData()?.includes('"Animal 99"') === true;
  const finish = await holdRequests(page, '**/v1/pets', isLast);
  const lost = await loseResponses(40, 46);
  await startImport(page, ['name,categoryId', ...rows].join('\n'));
  await expect.poll(() => lost.length).toBe(6);
  await store.service.end('SIGKILL');
  await Promise.all(lost.map((route) => route.abort()));
  const message = page.getByText("Petstore doesn't answer. The import continues when it does.");
  await message.waitFor();
  await store.service.start();
  await message.waitFor({ state: 'detached' });
  finish();
  await step('95 animals added').waitFor({ timeout: 60_000 });
  const added = animalNames(100).filter((_, index) => !isRefused(index));
  expect(await store.names(5000n)).toEqual(added.toSorted());
});

it('an import continues after two reloads and in two tabs, and adds nothing twice', async () => {
  ({ page } = await store.visit('/import'));
  const rows = table(150, 3001);
  for (const count of [50, 100]) {
    const lost = await loseResponses(count);
    await (count === 50 ? startImport(page, rows) : button('Continue import').click());
    await expect.poll(() => lost.length).toBeGreaterThan(0);
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await step('Continue the import of delivery.csv').waitFor();
  }
  const other = await page.context().newPage();
  await other.goto(`${page.url()}#key=${key}`);
  const creates = await Promise.all([page, other].map(holdCreates));
  for (const tab of [page, other]) await tab.getByRole('button', { name: 'Continue import' }).click();
  await Promise.all(creates.map(({ first }) => first));
  for (const { release } of creates) release();
  for (const tab of [page, other]) await importStep(tab, '150 animals added').waitFor();
  expect(await store.names(3001n)).toEqual(animalNames(150).toSorted());
});

it('the browser asks before the person leaves. A paused import can be discarded, and a sign-out forgets it', async () => {
  const leave = async () => {
    await page.getByText('0 of 60 animals').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    expect(await answer(() => page.close({ runBeforeUnload: true }), 'dismiss')).toBe('beforeunload');
  };
  ({ page } = await store.visit('/import'));
  await pauseImport(() => startImport(page, table(60, 3002)), leave);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await answer(() => button('Discard import').click(), 'dismiss');
  await page.reload();
  await step('Continue the import of delivery.csv').waitFor();
  await answer(() => button('Discard import').click(), 'accept');
  await step('Choose your animals').waitFor();
  await chooseImportFile(page, table(60, 3002));
  await step('Match the columns of delivery.csv').waitFor();
  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.keyboard.press('Enter');
  await step('Choose your animals').waitFor();
});

it('an import with another key is compared with the store again, and leaves out what it has added', async () => {
  ({ page } = await store.visit('/import'));
  await pauseImport(() => startImport(page, table(60, 3003)));
  const added = (await store.names(3003n)).length;
  const otherKey = await store.newKey();
  await answer(() => page.goto(store.url(`/import#key=${otherKey}`)), 'accept');
  await button('Continue import').click();
  await page.getByText('They are left out, because an earlier import of this file was interrupted').waitFor();
  await button(`Import ${60 - added} animals`).click();
  await step(`${60 - added} animals added`).waitFor();
  expect(await store.names(3003n)).toEqual(animalNames(60).toSorted());
});

it('a file that is too large to be stored is chosen again', async () => {
  const [header, ...rows] = table(60, 3004).split('\n');
  const note = 'x'.repeat(1_000_000);
  const directory = await mkdtemp(join(tmpdir(), 'petstore-import-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'delivery.csv');
  await writeFile(file, [`${header},note`, ...rows.map((row, index) => `${row},${index < 22 ? note : ''}`)].join('\n'));
  // Without optimized code, each hash of 22 MB takes 14 s.
  const browser = await launchBrowser('--js-flags=');
  onTestFinished(() => browser.close());
  ({ page } = await openPage(browser));
  await page.goto(store.url(`/import#key=${key}`));
  const choose = () => page.getByLabel('File', { exact: true }).setInputFiles(file);
  await pauseImport(async () => {
    await choose();
    await button('Check rows').click();
    await button('Import 60 animals').click();
  });
  await page.reload();
  await step('Choose delivery.csv again').waitFor();
  await choose();
  await step('Continue the import of delivery.csv').waitFor();
  await button('Continue import').click();
  await step('60 animals added').waitFor();
  expect(await store.names(3004n)).toEqual(animalNames(60).toSorted());
});
