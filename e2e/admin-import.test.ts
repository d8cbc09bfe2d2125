import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { checkImportFile, chooseImportFile, chooseStep, dropFiles, importStep } from './support/import-steps.js';
import { focused } from './support/keyboard.js';
import { failures, holdRequests } from './support/page.js';
import { paste } from './support/paste.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'petstore-import-'));

beforeAll(async () => {
  store = await Store.open('9001,Rabbits', '9002,Cats', '9003,Dogs');
});
afterEach(() => page.close());
afterAll(() => rmSync(folder, { recursive: true }));

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (name: string | RegExp) => page.getByRole('row', { name });
const question = (text: string) => page.getByRole('alert').filter({ hasText: text });
const expectBar = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
const expectAccessible = async () => expect(await violationsInAllLooks(page)).toEqual([]);
const openRows = (name: string) =>
  page
    .getByRole('group', { name: 'Rows' })
    .getByRole('button', { name: new RegExp(`^[\\d,]+ ?${name}$`) })
    .click();

async function visit(): Promise<void> {
  ({ page } = await store.visit('/import'));
  await step('Choose your animals').waitFor();
}

async function check(content: string | Uint8Array): Promise<void> {
  await visit();
  await checkImportFile(page, content);
}

async function answer(label: string, category: string): Promise<void> {
  await page.getByLabel(`Category ${label}`, { exact: true }).fill(category);
  await page.keyboard.press('Tab');
}

async function finishImport(count: string): Promise<void> {
  await button(`Import ${count}`).click();
  await step(`${count} added`).waitFor();
}

it('an Excel file is an import, such as an export of the same animals', async () => {
  await store.add({ name: 'Rex', categoryId: 9001n });
  ({ page } = await store.visit('/export?category=9001'));
  const file = await downloadBy(page, () => button('Export').click());
  await check(await contentOf(file));
  await question('1 animal is already in the store').waitFor();
});

it('rows that the spreadsheet hides are left out, which the page says', async () => {
  await visit();
  const fixture = '../packages/table/test/fixtures/libreoffice.xlsx';
  await chooseImportFile(page, readFileSync(new URL(fixture, import.meta.url)));
  await page.getByRole('note').getByText('1 hidden row is left out. To import it').waitFor();
  await expectAccessible();
  await button('Check rows').click();
  await openRows('Needs an answer');
  await row(/^4 /).waitFor();
  expect(await row(/^5 /).count()).toBe(0);
});

it('the template has no animal. A corrected file can be chosen again, and is read when it is chosen', async () => {
  await visit();
  await expectAccessible();
  const template = await downloadBy(page, () => page.getByRole('link', { name: 'Download a template' }).click());
  await chooseImportFile(page, await contentOf(template));
  await expectBar('The file has no animals. Add a row for each animal, and choose it again.');
  await button('Choose another file').click();
  const path = join(folder, 'animals.csv');
  const chooseOnDisk = async (content: string) => {
    writeFileSync(path, content);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Choose a file').click()]);
    await chooser.setFiles(path);
  };
  await chooseOnDisk('%PDF-1.7\n');
  await question('The file is a PDF.').waitFor();
  await chooseOnDisk('name,category\nRuby,9001\n');
  await step('Match the columns of animals.csv').waitFor();
  writeFileSync(path, 'Another content');
  await button('Check rows').click();
  await expectBar('1 animal (Rabbits: 1)');
});

it('cells that were pasted anywhere are an import, with columns by choice and new numbers of categories', async () => {
  await visit();
  await paste(page, page.locator('body'), 'Pet, full\tKind\tPen\r\n"Rex", the dog\t9006\tA\r\n=Milo\t9006\t\r\n');
  await question('Is this an animal').getByText('Pet, full · Kind · Pen').waitFor();
  await expectAccessible();
  await expectBar('Choose what row 1 is.');
  await button('Check rows').click({ force: true });
  await question('Is this an animal').getByText('Column names').click();
  await page.getByLabel('Pet, full').selectOption('Name');
  await page.getByLabel('Kind').selectOption('Category');
  await page.getByLabel('Pen').selectOption("Don't import");
  await expectAccessible();
  await button('Check rows').click();
  await expectBar('Choose what the values mean.');
  await button('Use the new number').click();
  await finishImport('2 animals');
  expect(await store.names(9006n)).toEqual(['"Rex", the dog', '=Milo']);
  await button('Print 2 labels').click();
  await expectBar('2 labels');
});

it('the first row can be an animal with one cell. A file can have a title, and characters that are a guess', async () => {
  await visit();
  await chooseImportFile(page, 'Bello\nKennung,Gehege\nRex,Hund\n');
  await question('Is this an animal').getByText('An animal', { exact: true }).click();
  await page.getByRole('cell', { name: 'Bello' }).waitFor();
  await button('Choose another file').click();
  await chooseImportFile(page, readFileSync(new URL('fixtures/spreadsheet/windows-1252.csv', import.meta.url)));
  await question('Is this right?').getByText('Kätzchen Müller').waitFor();
  await page.getByLabel('Characters').selectOption('UTF-8');
  await question('Is this right?').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Tiername').inputValue()).toBe('name');
  await button('Choose another file').click();
  await chooseImportFile(page, 'Animals of 2026,,\nRolf,Rabbits,available\nBella,Cats,sold\n');
  await focused(page, 'Match the columns of delivery.csv');
  expect(await page.getByRole('radio', { name: 'An animal' }).isChecked()).toBe(true);
  await page.getByText('Does the table look wrong?').click();
  await page.getByLabel('The table starts at row').selectOption('2: Rolf · Rabbits · available');
  await button('Check rows').click();
  await row(/^2 Rolf Rabbits Available/).waitFor();
  await expectBar('2 animals (Rabbits: 1, Cats: 1)');
  await page.getByText('1 of them sold.').waitFor();
});

const delivery = [
  'name,category,status',
  ...Array.from({ length: 16 }, (_, index) => `Hasi ${index + 1},Kaninchen,${index < 12 ? 'abgegeben' : ''}`),
  'Mia,KATZEN,verfügbar',
  'Max,22,',
  ',Cats,sold',
  'Leo,Löwen,',
];

it('a value has one answer for all rows, a row can be corrected, and a reload keeps both', async () => {
  await check(delivery.join('\n'));
  const labels = page.getByRole('group', { name: 'What do these values mean?' }).locator('label');
  const values = ['Kaninchen, 16 rows', 'KATZEN, 1 row', '22, 1 row', 'Löwen, 1 row'].map((text) => `Category ${text}`);
  await expect.poll(() => labels.allInnerTexts()).toEqual(values.toSpliced(1, 0, 'Status abgegeben, 12 rows'));
  await expectAccessible();
  await page.getByLabel('Status abgegeben, 12 rows').selectOption('Sold');
  await answer('Kaninchen, 16 rows', 'rabbits');
  // Mistyped: the store has no category 22.
  for (const label of ['KATZEN, 1 row', '22, 1 row']) await answer(label, 'cats');
  await expectBar('18 animals (Rabbits: 16, Cats: 2)');
  await openRows('Refused');
  await row(/^20 .*Name is required/).waitFor();
  await button('Correct row 20').click();
  await page.keyboard.type('Lola');
  await row('20').getByRole('combobox', { name: 'Category' }).fill('Dogs');
  await expectAccessible();
  await button('Check again').click();
  await expectBar('19 animals (Rabbits: 16, Cats: 2, Dogs: 1)');
  await page.reload();
  await expectBar('19 animals (Rabbits: 16, Cats: 2, Dogs: 1)');
  await finishImport('19 animals');
  await expectAccessible();
  expect(await store.names(9002n)).toEqual(['Max', 'Mia']);
  await row(/^2 Hasi 1 /)
    .getByRole('link')
    .click();
  await page.getByRole('heading', { level: 1, name: 'Hasi 1' }).waitFor();
  await page.goBack();
  const saved = await downloadBy(page, () => button('Download refused rows').click());
  expect((await contentOf(saved)).toString()).toContain('Leo,Löwen,,21,The store has no category “Löwen”.');
  await button('Import another file').click();
  await checkImportFile(page, 'name,category\nNew,kaninchen\n');
  await expectBar('1 animal (Rabbits: 1)');
});

it('animals of the store are left out or added again, as the person says. Repeated rows are kept', async () => {
  const rex = await store.add({ name: 'Rex', categoryId: 9002n });
  await check('name,category\nREX,Cats\nGoldfish,Cats\nGoldfish,Cats\nRex,Dogs\n');
  expect(
    await row(/^2 REX/)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/pets/${rex.id}`);
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  await page.getByText('Choose what happens with the animal in the store.').waitFor();
  await button('Import animals').click({ force: true });
  await openRows('Ready');
  await row(/^4 Goldfish .*Same name and category as an earlier row/).waitFor();
  await expectAccessible();
  await page.getByText('Add again').click();
  await button('Import 4 animals').waitFor();
  await page.getByRole('checkbox', { name: 'Leave out the row that repeats an earlier row of this file' }).click();
  await button('Import 3 animals').waitFor();
  await page.getByText('Leave out', { exact: true }).click();
  await finishImport('2 animals');
  await openRows('Left out');
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  expect((await store.names(9002n)).filter((name) => /rex|gold/i.test(name))).toEqual(['Goldfish', 'Rex']);
});

it('the animals are compared once more when the import starts, which a second click does not do again', async () => {
  await check('name,category\nLuna,Cats\nMimi,Cats\n');
  await button('Import 2 animals').waitFor();
  // On another device.
  await store.add({ name: 'Luna', categoryId: 9002n });
  await button('Import 2 animals').click();
  await question('1 animal is already in the store').getByText('Leave out', { exact: true }).click();
  await button('Import 1 animal').dblclick();
  await step('1 animal added').waitFor();
  await openRows('Left out');
  expect((await store.names(9002n)).filter((name) => /Luna|Mimi/.test(name))).toEqual(['Luna', 'Mimi']);
});

it('a file that is dropped anywhere on the page opens, one at a time. Other pages ignore it', async () => {
  await visit();
  const file = join(folder, 'dropped.csv');
  writeFileSync(file, 'name,category\nRex,9001\n');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await dropFiles(page, heading('Import animals'), [file, file]);
  await question('These are several files.').waitFor();
  for (const place of [heading('Import animals'), page.getByRole('banner'), page.locator('textarea')]) {
    await dropFiles(page, place, [file]);
    await step('Match the columns of dropped.csv').waitFor();
    await chooseStep(page).click();
  }
  // Chromium opens it in another tab, other browsers in this one.
  const opened: string[] = [];
  page.context().on('page', () => opened.push('a tab'));
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await heading('Overview').waitFor();
  await dropFiles(page, heading('Overview'), [file]);
  expect([page.url(), ...opened]).toEqual([store.url('/overview')]);
});

it('an answer is compared with the store before the import, and a failed comparison can be repeated', async () => {
  await store.add({ name: 'Bello', categoryId: 9003n });
  await check('name,category\nBello,Wauwau\nRex 2,Dogs\n');
  await button('Import 1 animal').waitFor();
  const letGo = await holdRequests(page, /categoryId=/);
  await answer('Wauwau, 1 row', 'dogs');
  await page.getByText('Comparing with the store…').waitFor();
  await button('Import animals').click({ force: true });
  letGo();
  await question('1 animal is already in the store').waitFor();
  await page.context().route('**/v1/pets?*', (route) => route.abort());
  await answer('Wauwau, 1 row', '');
  await question('The rows could not be compared with the store.').waitFor();
  await expectBar('The rows must be compared with the store first.');
  await page.context().unroute('**/v1/pets?*');
  await button('Try again').click();
  await button('Import 1 animal').waitFor();
  failures.splice(0);
});

it('an import needs the permission to see animals', async () => {
  ({ page } = await store.visit('/pets'));
  await page.route('**/key.json', (route) => route.fulfill({ json: { scopes: ['write'], expiresAt: null } }));
  await page.goto(store.url('/import'));
  await step("You don't have permission to see animals").waitFor();
});
