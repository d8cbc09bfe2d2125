import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PetstoreClient } from '@petstore/client';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
});
afterEach(() => page.close());
afterAll(() => store.close());

const step = (name: string | RegExp) => page.getByRole('heading', { level: 2, name });
const button = (name: string | RegExp) => page.getByRole('button', { name });

async function chooseFile(content: string | Uint8Array): Promise<void> {
  const input = page.getByLabel('Choose a CSV file, or drop it here');
  await input.setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** Drags a file from outside the browser to the field. */
async function drop(content: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-import-'));
  // The page reads the file again when it checks the rows.
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'dropped.csv');
  await writeFile(path, content);
  const box = await page.getByLabel('Choose a CSV file, or drop it here').boundingBox();
  if (!box) throw new Error('The field is not visible.');
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x,
      y,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  }
  await step('Match the columns of dropped.csv').waitFor();
}

async function startImport(content: string): Promise<void> {
  await chooseFile(content);
  await button('Check rows').click();
  await button(/^Import .* animals$/).click();
}

/** The names of the animals of a category, sorted. */
async function storedNames(categoryId: bigint): Promise<string[]> {
  const client = new PetstoreClient({ baseUrl: `${store.service.url}/v1`, apiKey: key });
  const names: string[] = [];
  for await (const pet of client.listPets({ limit: 100 })) if (pet.categoryId === categoryId) names.push(pet.name);
  return names.toSorted();
}

const animalNames = (count: number) => Array.from({ length: count }, (_, index) => `Animal ${index + 1}`);
const isStored = (count: number) => expect.poll(() => store.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);

async function restartService(): Promise<void> {
  await store.service.end('SIGKILL');
  await store.service.start();
}

async function saved(click: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('an import', () => {
  it('of 5,000 rows adds each valid one once, although the connection is cut twice', async () => {
    ({ page } = await store.visit('/pets'));
    await page.getByRole('link', { name: 'Import animals' }).click();
    const names = animalNames(5000);
    const isRefused = (index: number) => index % 20 === 19;
    const rows = names.map((name, index) => `${name},${isRefused(index) ? 'seven' : 5000}`);
    await chooseFile(['name,categoryId', ...rows].join('\n'));
    await button('Check rows').click();
    await step('4,750 animals ready to import').waitFor();
    expect(await store.count()).toBe(0);
    await button('Import 4,750 animals').click();
    await isStored(500);
    await restartService();
    await isStored(2500);
    await restartService();
    await step('Import finished').waitFor({ timeout: 120_000 });
    await page.getByText('4,750 added, 250 refused').waitFor();
    expect(await storedNames(5000n)).toEqual(names.filter((_, index) => !isRefused(index)).toSorted());
    const refused = (await saved(() => button('Download refused rows').click())).split('\r\n');
    expect(refused).toHaveLength(252);
    expect(refused.slice(0, 2)).toEqual([
      '\uFEFFname,categoryId,Line,Reason',
      'Animal 20,seven,21,Category number must be a whole number with at most 18 digits.',
    ]);
  }, 180_000);

  it('continues after its tab was closed, and adds nothing twice', async () => {
    ({ page, failures } = await store.visit('/import'));
    const first = page;
    page = await first.context().newPage();
    await page.goto(store.url(`/import#key=${key}`));
    const before = await store.count();
    const names = animalNames(800);
    await startImport(['name,categoryId', ...names.map((name) => `${name},3000`)].join('\n'));
    await isStored(before + 100);
    await page.close();
    page = first;
    await page.reload();
    await step('Continue the import of delivery.csv').waitFor();
    await button('Continue import').click();
    await step('Import finished').waitFor({ timeout: 60_000 });
    await page.getByText('800 added, 0 refused').waitFor();
    expect(await storedNames(3000n)).toEqual(names.toSorted());
    expect(failures).toEqual([]);
  });

  it('can be paused and continued, and the browser asks before the person leaves', async () => {
    ({ page, failures } = await store.visit('/import'));
    const names = animalNames(800);
    const before = await store.count();
    await startImport(['name,categoryId', ...names.map((name) => `${name},3001`)].join('\n'));
    await isStored(before + 100);
    const question = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const dialog = await question;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await button('Pause').click();
    await step('Import paused').waitFor();
    const paused = await storedNames(3001n);
    expect(paused.length).toBeLessThan(800);
    await button('Continue import').click();
    await step('Import finished').waitFor({ timeout: 60_000 });
    expect(await storedNames(3001n)).toEqual(names.toSorted());
    expect(failures).toEqual([]);
  });
});

describe('rows pasted from a spreadsheet', () => {
  it('are matched by the names of the columns or by choice, checked, imported, and explained row by row', async () => {
    ({ page, failures } = await store.visit('/import'));
    const table = 'Pet\tKind\tPen\nRex\t7001\tA\nBella\tcat\tB\n=Milo\t7001\tC\nLuna\t7001\t\n';
    await page.getByLabel('Or copy the cells').evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, table);
    await step('Match the columns of Pasted rows').waitFor();
    expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Pet').selectOption('Name');
    await page.getByLabel('Kind').selectOption('Category number');
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Check rows').click();
    await page.getByRole('row', { name: '3 Refused: Category number must be a whole number' }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Import 3 animals').click();
    await step('Import finished').waitFor();
    expect(await storedNames(7001n)).toEqual(['=Milo', 'Luna', 'Rex']);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Show rows' }).selectOption('Refused (1)');
    expect(await page.getByRole('row').allInnerTexts()).toHaveLength(2);
    await page.getByRole('combobox', { name: 'Show rows' }).selectOption('Added (3)');
    const ids = (await page.getByRole('link', { name: /^Added as number/ }).allInnerTexts()).map((text) =>
      text.replace('Added as number ', ''),
    );
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    await button('Print 3 labels')
      .or(page.getByRole('link', { name: 'Print 3 labels' }))
      .click();
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.labels'))).toBe(JSON.stringify(ids));
    expect(failures).toEqual([]);
  });
});

describe('the first step', () => {
  it('explains itself, takes a dropped file, and says what to do with a file that is no table', async () => {
    ({ page, failures } = await store.visit('/pets'));
    await button('Menu').click();
    await page.getByRole('menuitem', { name: 'Import animals' }).click();
    await step('Choose your animals').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    expect(await saved(() => button('Download a template').click())).toContain('name,category,status');
    await chooseFile(Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff]));
    await page.getByRole('alert').getByText('Save the spreadsheet as CSV').waitFor();
    await drop('name;category\nRex;7\n');
    expect(await page.getByLabel('category').inputValue()).toBe('categoryId');
    await button('Check rows').click();
    await step('1 animal ready to import').waitFor();
    expect(failures).toEqual([]);
  });

  it('says that a key that may only read cannot import', async () => {
    ({ page, failures } = await store.visit('/pets'));
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(store.url(`/import#key=${await store.newKey('read')}`));
    await page.getByText("You don't have permission to add animals.").waitFor();
    expect(failures).toEqual([]);
  });
});
