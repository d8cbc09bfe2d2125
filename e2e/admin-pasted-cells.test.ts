import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { chooseImportFile, chooseStep, importStep } from './support/import-steps.js';
import { paste } from './support/paste.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;

/** All tests use one page. Each one begins with an empty form. */
beforeAll(async () => {
  store = await Store.open();
  ({ page } = await store.visit('/pets/new'));
});
beforeEach(async () => {
  await page.evaluate(() => ['draft', 'pasted'].forEach((name) => sessionStorage.removeItem(`petstore.${name}`)));
  await page.goto(store.url('/pets/new'));
  form = await AddForm.on(page);
});

const newest = () => store.newest();
const alert = () => page.getByRole('alert');
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('cells that are pasted into the name', () => {
  it('of a column are so many animals of the category and status of the form, after a look at the names', async () => {
    await form.enter({ name: 'Half a na', category: '7' });
    await page.getByRole('radio', { name: 'Sold' }).check();
    await paste(page, form.name, 'Bolt6\r\n Bolt7 \r\n"Bolt\r\n8"\r\n');
    await alert().getByText('These are several cells').waitFor();
    const names = alert().getByRole('list', { name: 'Names' }).getByRole('listitem');
    expect(await names.allInnerTexts()).toEqual(['Bolt6', 'Bolt7', 'Bolt 8']);
    expect(await violationsInAllLooks(page)).toEqual([]);
    // Enter answers nothing, and the category can still be corrected.
    await form.category.fill('8');
    expect(form.posted).toEqual([]);
    await button('Add these 3 animals').click();
    await page.getByRole('main').getByText('Added 3 animals, numbers 1 to 3').waitFor();
    expect(form.posted.map((body) => JSON.parse(body) as unknown)).toEqual(
      ['Bolt6', 'Bolt7', 'Bolt 8'].map((name) => ({ name, categoryId: 8, status: 'sold' })),
    );
    expect([await form.name.inputValue(), await isFocused(form.name), await alert().count()]).toEqual([
      'Half a na',
      true,
      0,
    ]);
  });

  it('of a column are compared with each other and with the store, and can be changed', async () => {
    await form.enter({ name: '', category: '8' });
    await paste(page, form.name, 'Ada\nbolt7\nEva\nada ');
    await alert().getByText('More than once: ada.').waitFor();
    await button('Add these 4 animals').click();
    await alert().getByText('1 of these 4 animals is already in the store').waitFor();
    await button('Change it').click();
    const names = alert().getByRole('list', { name: 'Names' }).getByRole('listitem');
    expect(await names.allInnerTexts()).toEqual(['Ada', 'bolt7', 'Eva', 'ada']);
    await button('Cancel').click();
    await expect.poll(() => isFocused(form.name)).toBe(true);
    expect([form.posted, await alert().count(), await form.name.inputValue()]).toEqual([[], 0, '']);
  });

  it('of a row are an import, which opens with them', async () => {
    await form.enter({ name: 'Half a na', category: '7' });
    await paste(page, form.name, 'Bolt4\t7\tsold\n');
    await alert().getByText('These are several cells').waitFor();
    expect(await button('Add these 3 animals').count()).toBe(0);
    await button('Open as an import').click();
    await importStep(page, 'Match the columns of Pasted rows').waitFor();
    await page.getByRole('cell', { name: 'Bolt4' }).waitFor();
    await chooseStep(page).click();
    await page.reload();
    await importStep(page, 'Choose your animals').waitFor();
    await page.goto(store.url('/pets/new'));
    expect([await form.name.inputValue(), form.posted]).toEqual(['Half a na', []]);
  });

  it('of a column of more than 50 names are an import with the category and status of the form', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `Long ${index + 1}`);
    await paste(page, form.name, names.join('\n'));
    expect(await button('Add these 51 animals').count()).toBe(0);
    await button('Open as an import').click();
    // It needs the category of the form.
    await page.getByText('Enter a category number').waitFor();
    await form.category.fill('70');
    await button('Open as an import').press('Enter');
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByText('51 animals: 51 of category 70', { exact: true }).waitFor();
    await chooseStep(page).click();
  });
});

describe('the heading of a pasted column', () => {
  it.each([
    ['Name', ['Ada', 'Eva']],
    ['Nombre del animal', ['Ada']],
  ] as const)('%s is not an animal', async (heading, animals) => {
    await form.category.fill('7');
    await paste(page, form.name, [heading, ...animals].join('\n'));
    const names = alert().getByRole('list', { name: 'Names' }).getByRole('listitem');
    await alert().getByText('These are several cells').waitFor();
    expect(await names.allInnerTexts()).toEqual(animals);
    await alert().getByText(`The heading “${heading}” is not added`).waitFor();
    await button(animals.length === 1 ? 'Add this animal' : 'Add these 2 animals').waitFor();
    await button('Open as an import').click();
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page
      .getByText(`${animals.length === 1 ? '1 animal' : '2 animals'}: ${animals.length} of category 7`, { exact: true })
      .waitFor();
    await chooseStep(page).click();
  });

  it('is a name if animals are moved back into the form', async () => {
    await store.add({ name: 'Ida', categoryId: 7n });
    await form.category.fill('7');
    await paste(page, form.name, 'Name\nPet\nIda');
    await button('Add these 2 animals').click();
    await button('Change it').click();
    const names = alert().getByRole('list', { name: 'Names' }).getByRole('listitem');
    expect(await names.allInnerTexts()).toEqual(['Pet', 'Ida']);
  });
});

it.each([1280, 390])('at %i px, long names and many names are all in the question, and can be read', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  const long = ['Longname '.repeat(9).trim(), 'Milo', 'W'.repeat(60), 'Luna'];
  const items = alert().getByRole('listitem');
  for (const names of [long, Array.from({ length: 40 }, (_, index) => `${long[0]} ${index}`)]) {
    await paste(page, form.name, names.join('\n'));
    await expect.poll(() => items.allInnerTexts()).toEqual(names);
    const edges = await alert().boundingBox();
    for (const element of [...(await items.all()), ...(await alert().getByRole('button').all())]) {
      await element.scrollIntoViewIfNeeded();
      expect(await element.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true);
      const box = await element.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual((edges?.x ?? 0) + (edges?.width ?? 0));
    }
    // The buttons are not far below the names.
    expect(edges?.height).toBeLessThan(700);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Cancel').click();
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

it('a reload keeps the question about pasted cells, until it is answered', async () => {
  await paste(page, form.name, 'Ada\nEva');
  await alert().getByText('These are several cells').waitFor();
  await page.reload();
  await expect.poll(() => alert().getByRole('listitem').allInnerTexts()).toEqual(['Ada', 'Eva']);
  await button('Cancel').click();
  await page.reload();
  await form.name.waitFor();
  expect(await alert().count()).toBe(0);
});

describe('a separator of cells or lines', () => {
  it.each(['\t', '\v', '\f', '\u0085', '\u2028', '\u2029'])('%j does not get into a name', async (separator) => {
    await form.name.fill('Half');
    await form.name.press('End');
    await paste(page, form.name, `${separator}Ace Solo${separator}`);
    expect(await form.name.inputValue()).toBe('HalfAce Solo');
    // What the field shows is what is stored.
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.draft'))).toContain('"HalfAce Solo"');
    await paste(page, form.name, `Ada${separator}Eva`);
    await alert().getByText('These are several cells').waitFor();
    expect(await form.name.inputValue()).toBe('HalfAce Solo');
  });

  it.each(['\v', '\f', '\u0085', '\u2028', '\u2029'])('%j separates animals', async (separator) => {
    await paste(page, form.name, `Ada${separator}Eva`);
    await button('Add these 2 animals').waitFor();
  });
});

it('a text of several lines from the clipboard of a phone keyboard is not joined to one name', async () => {
  await form.name.focus();
  await page.keyboard.insertText('Rex\nMilo');
  await alert().getByText('These are several cells').waitFor();
  expect(await form.name.inputValue()).toBe('');
});

it('cells that are dropped into the name are asked about', async () => {
  const box = await form.name.boundingBox();
  if (!box) throw new Error('The field is not visible.');
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [{ mimeType: 'text/plain', data: 'Rex\tMilo' }], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  }
  await alert().getByText('These are several cells').waitFor();
  expect(await form.name.inputValue()).toBe('');
});

it('one cell, with the line break or the tab after it, is a name', async () => {
  for (const [text, name] of [
    ['Fay\r\n', 'Fay'],
    ['Gus\t\r\n', 'Gus'],
  ] as const) {
    await form.category.fill('9');
    await paste(page, form.name, text);
    expect(await alert().count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(newest).toMatchObject({ name });
  }
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
