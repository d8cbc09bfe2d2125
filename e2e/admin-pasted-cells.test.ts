import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { chooseImportFile, chooseStep, importStep } from './support/import-steps.js';
import { failures } from './support/page.js';
import { paste } from './support/paste.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;

/** Each test loads an empty form. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Ida', categoryId: 8n });
  ({ page } = await store.visit('/pets'));
});
beforeEach(async () => {
  await page.unrouteAll();
  form = await AddForm.open(page, store.url('/pets/new'));
});

const alert = () => page.getByRole('alert');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const items = () => alert().getByRole('listitem');
const isAsked = () => alert().getByText('These are several cells').waitFor();

describe('cells that are pasted into the name', () => {
  it('of a column are so many animals of the category and status of the form, after a look at the names', async () => {
    await form.enter({ name: 'Half a na', category: '7' });
    await form.choose('Sold');
    await paste(page, form.name, 'Bolt6\r\n Bolt7 \r\n"Bolt\r\n8"\r\n');
    await isAsked();
    expect(await items().allInnerTexts()).toEqual(['Bolt6', 'Bolt7', 'Bolt 8']);
    expect(await violationsInAllLooks(page)).toEqual([]);
    // The category can still be corrected.
    await form.category.fill('9');
    await button('Add these 3 animals').click();
    await page.getByRole('main').getByText('Added 3 animals').waitFor();
    expect(form.posted.map((body) => JSON.parse(body) as unknown)).toEqual(
      ['Bolt6', 'Bolt7', 'Bolt 8'].map((name) => ({ name, categoryId: 9, status: 'sold' })),
    );
    expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual(['Half a na', true]);
    expect(await alert().count()).toBe(0);
  });

  it('of a column are compared with each other and with the store, and can be changed', async () => {
    await form.category.fill('8');
    // The heading is a name once the animals were moved back.
    await paste(page, form.name, 'Name\nPet\nida\nEva\npet ');
    await alert().getByText('More than once: pet.').waitFor();
    await alert().getByText('The heading “Name” is not added').waitFor();
    await button('Add these 4 animals').click();
    await alert().getByText('1 of these 4 animals is already in the store').waitFor();
    await button('Change it').click();
    await expect.poll(() => items().allInnerTexts()).toEqual(['Pet', 'ida', 'Eva', 'pet']);
    // A reload keeps the question, until it is answered.
    await page.reload();
    await expect.poll(() => items().allInnerTexts()).toEqual(['Pet', 'ida', 'Eva', 'pet']);
    await button('Cancel').click();
    await expect.poll(() => isFocused(form.name)).toBe(true);
    await page.reload();
    await form.name.waitFor();
    expect([form.posted, await alert().count(), await form.name.inputValue()]).toEqual([[], 0, '']);
  });

  it('of a row are an import, which opens with them', async () => {
    await form.enter({ name: 'Half a na', category: '7' });
    await paste(page, form.name, 'Bolt4\t7\tsold\n');
    await isAsked();
    expect(await page.getByRole('button', { name: /^Add these/ }).count()).toBe(0);
    await button('Open as an import').click();
    await importStep(page, 'Match the columns of Pasted rows').waitFor();
    await page.getByRole('cell', { name: 'Bolt4' }).waitFor();
    await chooseStep(page).click();
    await page.goto(store.url('/pets/new'));
    expect([await form.name.inputValue(), form.posted]).toEqual(['Half a na', []]);
  });

  it('of a column of more than 50 names are an import with the category and status of the form', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `Long ${index + 1}`);
    await paste(page, form.name, ['Nombre del animal', ...names].join('\n'));
    await isAsked();
    expect(await page.getByRole('button', { name: /^Add these/ }).count()).toBe(0);
    await button('Open as an import').click();
    await page.getByText('Enter a category number').waitFor();
    await form.category.fill('70');
    await button('Open as an import').press('Enter');
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByText('51 animals (Category 70: 51)', { exact: true }).waitFor();
    await chooseStep(page).click();
  });

  it('are kept if their reader does not load, and can be read later', async () => {
    await page.route('**/read-cells-*.js', (route) => route.abort());
    await paste(page, form.name, 'Ada\nEva');
    await alert().getByText('The cells that you pasted could not be read').waitFor();
    expect(failures.splice(0)).toHaveLength(1);
    await page.unrouteAll();
    await button('Try again').click();
    await expect.poll(() => items().allInnerTexts()).toEqual(['Ada', 'Eva']);
  });

  it('can all be read on a wide screen and on a phone', async () => {
    const long = 'Longname '.repeat(9).trim();
    const names = [long, 'W'.repeat(60), ...Array.from({ length: 40 }, (_, index) => `${long} ${index}`)];
    await paste(page, form.name, names.join('\n'));
    await expect.poll(() => items().allInnerTexts()).toEqual(names);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const edges = await alert().boundingBox();
      const right = (edges?.x ?? 0) + (edges?.width ?? 0);
      for (const element of [items().first(), items().last(), ...(await alert().getByRole('button').all())]) {
        await element.scrollIntoViewIfNeeded();
        expect(await element.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
        const { x = 0, width: size = Infinity } = (await element.boundingBox()) ?? {};
        expect(x + size).toBeLessThanOrEqual(right);
      }
      // The buttons are not far below the names.
      expect(edges?.height).toBeLessThan(700);
    }
  });
});

it('a separator of cells or lines does not get into a name, and separates animals', async () => {
  for (const separator of ['\t', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    await form.name.fill('Half');
    await form.name.press('End');
    await paste(page, form.name, `${separator}Ace Solo${separator}`);
    expect(await form.name.inputValue()).toBe('HalfAce Solo');
    // What the field shows is what is stored.
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.draft'))).toContain('"HalfAce Solo"');
    await paste(page, form.name, `Ada${separator}Eva`);
    await isAsked();
    expect(await form.name.inputValue()).toBe('HalfAce Solo');
    expect(await button('Add these 2 animals').count()).toBe(separator === '\t' ? 0 : 1);
    await button('Cancel').press('Enter');
  }
});

it('several lines of a phone keyboard, and cells that are dropped, are asked about', async () => {
  await form.name.focus();
  await page.keyboard.insertText('Rex\nMilo');
  await isAsked();
  await button('Cancel').click();
  const { x = 0, y = 0 } = (await form.name.boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [{ mimeType: 'text/plain', data: 'Rex\tMilo' }], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 10, data });
  }
  await isAsked();
  expect(await form.name.inputValue()).toBe('');
});

it('one cell, with the separators of a spreadsheet after it, is a name', async () => {
  await form.category.fill('9');
  await paste(page, form.name, 'Gus\t\r\n');
  expect(await alert().count()).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(() => store.newest()).toMatchObject({ name: 'Gus' });
});

it('several cells are not pasted into the category, and not into a correction of an import', async () => {
  await paste(page, form.category, '7\n800');
  await page.getByText('Paste one cell').waitFor();
  expect(await form.category.inputValue()).toBe('');
  await page.keyboard.type('7');
  expect(await page.getByText('Paste one cell').count()).toBe(0);
  await page.goto(store.url('/import'));
  await chooseImportFile(page, `name,category\n${'x'.repeat(201)},7\n`);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Correct row 2' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await paste(page, name, 'Bolt6\tBolt7');
  await page.getByText('Paste one cell').waitFor();
  expect(await name.inputValue()).toBe('');
  await chooseStep(page).click();
});
