import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseImportFile, holdCreates, importStep, startImport } from './support/import-steps.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
});
afterEach(() => page.close());
afterAll(() => store.close());

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const pasteField = () => page.getByLabel('Or copy the cells');

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

async function paste(table: string): Promise<void> {
  await pasteField().evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, table);
}

describe('the first step of an import', () => {
  it('explains itself, takes a dropped file, and says what to do with a file that is no table', async () => {
    ({ page, failures } = await store.visit('/pets'));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Import' }).click();
    await step('Choose your animals').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    const template = await downloadBy(page, () => button('Download a template').click());
    expect((await contentOf(template)).toString()).toContain('name,category,status');
    for (const [content, advice] of [
      ['PK\u0003\u0004\u0014\u0000', 'This is no CSV file. Open it in your spreadsheet program.'],
      ['%PDF-1.7\n', 'This is a PDF.'],
      ['<html>\n<table>', 'This is a web page.'],
      ['name,category\rRex,7\r', 'Its rows are not separated as in a CSV file.'],
      ['', 'It is empty.'],
    ] as const) {
      await chooseImportFile(page, Buffer.from(content, 'latin1'));
      await page.getByRole('alert').getByText(advice).waitFor();
    }
    await drop('name;category\nRex;7\n');
    expect(await page.getByLabel('category').inputValue()).toBe('categoryId');
    await button('Check rows').click();
    await step('1 animal ready to import').waitFor();
    expect(failures).toEqual([]);
  });

  it('says that a key that may only read cannot import', async () => {
    ({ page, failures } = await store.visit('/pets'));
    await page.evaluate(() => sessionStorage.clear());
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(store.url(`/import#key=${await store.newKey('read')}`));
    await page.getByText("You don't have permission to add animals.").waitFor();
    expect(failures).toEqual([]);
  });
});

describe('rows pasted from a spreadsheet', () => {
  it('are matched by the names of the columns or by choice, checked, imported, and explained row by row', async () => {
    ({ page, failures } = await store.visit('/import'));
    await step('Choose your animals').waitFor();
    await paste('Pet\tKind\tPen\nRex\t7001\tA\nBella\tcat\tB\n=Milo\t7001\tC\nLuna\t7001\t\n');
    await step('Match the columns of Pasted rows').waitFor();
    expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Pet').selectOption('Name');
    await page.getByLabel('Kind').selectOption('Category');
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Check rows').click();
    await page.getByRole('row', { name: '3 Refused: Category number must be a number' }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Import 3 animals').click();
    await step('Import finished').waitFor();
    expect(await store.names(7001n)).toEqual(['=Milo', 'Luna', 'Rex']);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Show rows' }).selectOption('Refused (1)');
    expect(await page.getByRole('row').allInnerTexts()).toHaveLength(2);
    expect(failures).toEqual([]);
  });
});

describe('labels of an import', () => {
  it('are those of the animals that it added, in the order of the file', async () => {
    await store.add({ name: 'Earlier', categoryId: 7002n });
    ({ page, failures } = await store.visit('/import'));
    await startImport(page, 'name,category\nRex,7002\nBella,cat\nMilo,7002\nLuna,7002\n');
    await step('Import finished').waitFor();
    const ids = (await page.getByRole('link', { name: /^Added as number/ }).allInnerTexts()).map((text) =>
      text.replace('Added as number ', ''),
    );
    await page.getByRole('link', { name: 'Print 3 labels' }).click();
    const labels = page.getByRole('region', { name: 'Labels' }).getByRole('listitem');
    await labels.nth(2).waitFor();
    const expected = ['Rex', 'Milo', 'Luna'].map((name, index) => `${name}\n${ids[index]}\nCategory 7002`);
    expect(await labels.allInnerTexts()).toEqual(expected);
    await page.reload();
    await labels.nth(2).waitFor();
    expect(await labels.allInnerTexts()).toEqual(expected);
    expect(failures).toEqual([]);
  });
});

it('an import is shown as finished, although reports of its progress arrive late', async () => {
  ({ page, failures } = await store.visit('/import'));
  // The reports use a port of their own. The messages of a worker itself are not delayed.
  await page.evaluate(() => {
    // oxlint-disable-next-line typescript/unbound-method
    const { addEventListener } = MessagePort.prototype;
    MessagePort.prototype.addEventListener = function (type: string, listener: EventListener) {
      addEventListener.call(this, type, (event) => setTimeout(() => listener.call(this, event), 300));
    };
  });
  await startImport(page, 'name,category\nLate,7005');
  await page.getByText('1 added, 0 refused').waitFor();
  await step('Import finished').waitFor();
  expect([await step('Import finished').count(), failures]).toEqual([1, []]);
});

describe('a running and a paused import', () => {
  const names = Array.from({ length: 60 }, (_, index) => `Animal ${index + 1}`);

  /** Returns the function that lets the first requests continue. */
  async function startSlowImport(category: bigint): Promise<() => void> {
    ({ page, failures } = await store.visit('/import'));
    const creates = await holdCreates(page);
    await startImport(page, ['name,category', ...names.map((name) => `${name},${category}`)].join('\n'));
    await creates.first;
    return creates.release;
  }

  it('have no accessibility violations', async () => {
    const release = await startSlowImport(7003n);
    await page.getByText('0 added, 0 refused, 60 remaining').waitFor();
    const found = [await violationsInAllLooks(page)];
    await button('Pause').click();
    await button('Pausing…').waitFor();
    release();
    await step('Import paused').waitFor();
    await page.getByText(/^[1-9]\d* added, 0 refused, [1-9]\d* remaining$/).waitFor();
    found.push(await violationsInAllLooks(page));
    await button('Continue import').click();
    await page.getByText('60 added, 0 refused').waitFor();
    expect(await store.names(7003n)).toEqual(names.toSorted());
    expect([found, failures]).toEqual([[[], []], []]);
  });

  it('ask before the person discards the rest', async () => {
    const release = await startSlowImport(7004n);
    await button('Pause').click();
    release();
    await step('Import paused').waitFor();
    await Promise.all([
      page.waitForEvent('dialog').then((dialog) => dialog.dismiss()),
      button('Discard import').click(),
    ]);
    await page.reload();
    await step('Continue the import of delivery.csv').waitFor();
    await Promise.all([
      page.waitForEvent('dialog').then((dialog) => dialog.accept()),
      button('Discard import').click(),
    ]);
    await step('Choose your animals').waitFor();
    await page.reload();
    await step('Choose your animals').waitFor();
    expect(failures).toEqual([]);
  });
});
