import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { focused } from './support/keyboard.js';
import { holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'petstore-import-'));

beforeAll(async () => {
  store = await Store.open('9001,Rabbits', '9002,Cats', '9003,Dogs');
});
afterEach(async () => {
  await page.close();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (name: string) => page.getByRole('row', { name });

async function visit(): Promise<void> {
  ({ page } = await store.visit('/import'));
  await step('Choose your animals').waitFor();
}

async function check(content: string): Promise<void> {
  await visit();
  await chooseImportFile(page, content);
  await button('Check rows').click();
}

async function finishImport(name: string): Promise<void> {
  await button(name).click();
  await step('Import finished').waitFor();
}

/** Drags a file from outside the browser to the field. */
async function drop(content: string): Promise<void> {
  const path = join(folder, 'dropped.csv');
  writeFileSync(path, content);
  const box = await page.getByLabel('Choose a CSV file, or drop it here').boundingBox();
  if (!box) throw new Error('The field is not visible.');
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  }
}

async function paste(table: string): Promise<void> {
  await page.getByLabel('Or copy the cells').evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, table);
}

describe('the file of an import', () => {
  it('has a template, can be dropped, and is explained if it is no table', async () => {
    await visit();
    expect(await violationsInAllLooks(page)).toEqual([]);
    const template = await downloadBy(page, () => button('Download a template').click());
    expect((await contentOf(template)).toString()).toContain('name,category,status');
    for (const [content, advice] of [
      ['%PDF-1.7\n', 'This is a PDF.'],
      ['', 'It is empty.'],
    ] as const) {
      await chooseImportFile(page, content);
      await page.getByRole('alert').getByText(advice).waitFor();
    }
    await drop('name;category\n');
    await step('Match the columns of dropped.csv').waitFor();
    await button('Check rows').click();
    await step('No rows to import').waitFor();
    expect(await page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]').innerText()).toBe('Check');
  });

  it('can be cells that were pasted, with columns by choice', async () => {
    await visit();
    await paste('Pet, full\tKind\tPen\r\n"Rex", the dog\t9004\tA\r\n=Milo\t9004\t\r\n"two\nlines"\t9004\t\r\n');
    expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Pet, full').selectOption('Name');
    await page.getByLabel('Kind').selectOption('Category');
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Check rows').click();
    await page.getByText('3 of category 9004', { exact: true }).waitFor();
    await finishImport('Import 3 animals');
    expect(await store.names(9004n)).toEqual(['"Rex", the dog', '=Milo', 'two lines']);
    await page.getByRole('link', { name: 'Print 3 labels' }).click();
    await page.getByRole('region', { name: 'Labels' }).getByText('3 labels.').waitFor();
  });

  it('is asked about if it does not say which characters it has', async () => {
    await visit();
    await chooseImportFile(page, readFileSync(new URL('fixtures/spreadsheet/windows-1252.csv', import.meta.url)));
    const question = page.getByRole('alert').filter({ hasText: 'Is this right?' });
    await question.getByText('Kätzchen Müller').waitFor();
    await page.getByLabel('Characters').selectOption('Windows (Cyrillic)');
    await question.getByText('Kätzchen Müller').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Tiername').inputValue()).toBe('name');
    expect(await violationsInAllLooks(page)).toEqual([]);
  });

  it('can have a title above the names of the columns, or no names', async () => {
    await visit();
    await chooseImportFile(page, 'Animals of 2026,,\nname,category,status\nRex,9001,\n');
    const title = page.getByRole('checkbox', { name: 'Skip the title above the table: Animals of 2026' });
    expect(await title.isChecked()).toBe(true);
    await title.click();
    await page.getByText('Choose a column for the name, and one for the category.').waitFor();
    await title.click();
    await button('Check rows').click();
    await focused(page, '1 animal ready to import');
    await button('Start over').click();
    await chooseImportFile(page, 'Rex,9005,available\nBella,9005,sold\n');
    const header = page.getByRole('checkbox', { name: 'The first row has the names of the columns' });
    expect(await header.isChecked()).toBe(false);
    await page.getByText('Rex · Bella').waitFor();
    await button('Check rows').click();
    await finishImport('Import 2 animals');
    expect(await store.names(9005n)).toEqual(['Bella', 'Rex']);
  });
});

const delivery = [
  'name,category,status',
  ...Array.from({ length: 46 }, (_, index) => `Hasi ${index + 1},Kaninchen,${index < 12 ? 'verkauft' : ''}`),
  'Mia,KATZEN,available',
  'Max,Cats,reserviert',
  ',Dogen,sold',
  'Leo,Löwen,',
];

describe('the wrong values of a file', () => {
  it('have one answer for all their rows, a summary before the import, and are remembered', async () => {
    await check(delivery.join('\n'));
    await step('0 animals ready to import').waitFor();
    const meaning = (label: string) => page.getByLabel(label, { exact: true });
    expect(
      await page.getByRole('group', { name: 'What do these values mean?' }).locator('label').allInnerTexts(),
    ).toEqual([
      'Kaninchen, 46 rows',
      'verkauft, 12 rows',
      'KATZEN, 1 row',
      'reserviert, 1 row',
      'Dogen, 1 row',
      'Löwen, 1 row',
    ]);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await meaning('verkauft, 12 rows').selectOption('Sold');
    await meaning('Kaninchen, 46 rows').fill('rab');
    await page.getByRole('option', { name: 'Rabbits' }).click();
    await step('46 animals ready to import').waitFor();
    await meaning('KATZEN, 1 row').fill('cats');
    await meaning('KATZEN, 1 row').press('Tab');
    await page.getByText('46 Rabbits, 1 Cats, 12 sold', { exact: true }).waitFor();
    // Only the rows with other errors are listed. Their fields are real ones.
    expect(await page.getByRole('row').count()).toBe(2);
    await row('50 Refused: Name is required.').waitFor();
    // The names of categories are read in any case.
    expect(await page.getByText('Upper and lower case').count()).toBe(0);
    await button('Correct row 50').click();
    await page.keyboard.type('Lola');
    const form = row('50 Refused');
    await form.getByRole('combobox', { name: 'Category' }).fill('Dogs');
    await form.getByRole('combobox', { name: 'Status' }).selectOption('Pending');
    await form.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('46 Rabbits, 1 Cats, 1 Dogs, 12 sold, 1 pending', { exact: true }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await finishImport('Import 48 animals');
    await page.getByText('48 added, 2 refused').waitFor();
    expect((await store.names(9001n)).length).toBe(46);
    expect(await store.names(9002n)).toEqual(['Mia']);
    const sold = await store.sql("SELECT count(*)::int AS sold FROM pet WHERE status = 'sold' AND category_id <> 9005");
    expect(sold).toEqual([{ sold: 12 }]);

    // The refused rows are corrected after the import.
    const saved = await downloadBy(page, () => button('Download refused rows').click());
    expect((await contentOf(saved)).toString()).toContain('Max,Cats,reserviert,49,');
    await button('Correct the 2 refused rows').click();
    await step('0 animals ready to import').waitFor();
    await meaning('reserviert, 1 row').selectOption('Pending');
    await meaning('Löwen, 1 row').fill('dogs');
    await meaning('Löwen, 1 row').press('Tab');
    await page.getByText('1 Cats, 1 Dogs, 1 pending', { exact: true }).waitFor();
    await finishImport('Import 2 animals');
    expect([await store.names(9002n), await store.names(9003n)]).toEqual([
      ['Max', 'Mia'],
      ['Leo', 'Lola'],
    ]);

    await button('Import another file').click();
    await chooseImportFile(page, 'name,category,status\nNew,kaninchen,VERKAUFT\n');
    await button('Check rows').click();
    await page.getByText('1 Rabbits, 1 sold', { exact: true }).waitFor();
    expect(await meaning('kaninchen, 1 row').inputValue()).toBe('Rabbits');
    await meaning('VERKAUFT, 1 row').selectOption('Choose a status');
    await step('0 animals ready to import').waitFor();
  });

  it('cannot be imported before the answer is compared with the store', async () => {
    await store.add({ name: 'Bello', categoryId: 9003n });
    await check('name,category\nBello,Wauwau\nRex,Dogs\n');
    await button('Import 1 animal').waitFor();
    const letGo = await holdRequests(page, /categoryId=/);
    await page.getByLabel('Wauwau, 1 row').fill('dogs');
    await page.getByLabel('Wauwau, 1 row').press('Tab');
    await button(/^(Checking…|Import 1 animal)$/).click({ force: true });
    letGo();
    await page.getByText('1 animal already in the store').waitFor();
    await page.getByRole('radio', { name: 'Only the 1 animal not in the store yet' }).check();
    await finishImport('Import 1 animal');
    expect((await store.names(9003n)).filter((name) => name === 'Bello')).toEqual(['Bello']);
  });
});
