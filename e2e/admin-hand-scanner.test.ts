import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { formTakesEnter } from './support/add-form.js';
import { openKeptCategory, showList } from './support/kept-category.js';
import type { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, and start at the list. */
beforeAll(async () => {
  ({ store, page } = await openKeptCategory());
});
beforeEach(() => showList(page));

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const name = () => page.getByRole('textbox', { name: 'Name' });
const numbers = () => page.getByRole('textbox', { name: 'Animal numbers' });
const alert = () => page.getByRole('alert');

async function openForm(): Promise<void> {
  await page.getByRole('link', { name: 'Add animal' }).click();
  await name().waitFor();
  await formTakesEnter(page);
}

async function openLabels(): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Labels' }).click();
  await numbers().waitFor();
}

/** The address of the animal 2, typed by a scanner with another keyboard layout than the computer. */
const scans = [
  ['as it is', 'http://petstore/pets/2'],
  ['Swiss', 'http:§§petstore§pets§2'],
  ['French', 'httpM!!petstore!pets!é'],
] as const;

describe.each(scans)('a label that is scanned %s: %s', (_, text) => {
  it('adds no animal, wherever the focus is, with any suffix', async () => {
    for (const suffix of ['Enter', 'Tab', '']) {
      await showList(page);
      await page.keyboard.type(text);
      if (suffix) await page.keyboard.press(suffix);
      expect([suffix, await store.count(), await heading('Add animal').count()]).toEqual([suffix, 3, 0]);
    }
  });

  it('is a question in the form, or opens its animal', async () => {
    await openForm();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    if (text.includes('/pets/')) await alert().getByRole('button', { name: "Don't open" }).click();
    else {
      await alert().getByText('This looks like a scanned label').waitFor();
      await page.keyboard.press('Enter');
      await alert().getByRole('button', { name: 'Open number 2' }).click();
      await heading('Mia').waitFor();
    }
    expect(await store.count()).toBe(3);
  });

  it('opens its animal in the search field, with either suffix', async () => {
    for (const suffix of ['Enter', 'Tab']) {
      await showList(page);
      await page.getByRole('combobox', { name: 'Find an animal' }).focus();
      await page.keyboard.type(text);
      await page.keyboard.press(suffix);
      await heading('Mia').waitFor();
    }
  });

  it('is a label on the page of labels, with either suffix', async () => {
    await openLabels();
    for (const suffix of ['Enter', 'Tab']) {
      await numbers().fill('');
      await numbers().focus();
      await page.keyboard.type(text);
      await page.keyboard.press(suffix);
      await expect.poll(() => numbers().inputValue(), { message: suffix }).toBe('2, ');
      // The next code follows.
      await page.keyboard.type(text.replace(/.$/u, (digit) => ({ 2: '3', é: '"', ě: 'š' })[digit] ?? ''));
      await page.keyboard.press(suffix);
      await expect.poll(() => numbers().inputValue(), { message: suffix }).toBe('2, 3, ');
    }
  });
});

describe('codes', () => {
  it('without a suffix between them are several labels', async () => {
    await openLabels();
    await numbers().fill('');
    await page.keyboard.type('http://petstore/pets/1http://petstore/pets/3httpö--petstore-pets-2');
    await page.keyboard.press('Enter');
    await expect.poll(() => numbers().inputValue()).toBe('1, 3, 2, ');
  });

  it('in an unclear layout can only be a name after a question', async () => {
    await openForm();
    await page.keyboard.type('http petstore pets é+');
    await page.keyboard.press('Enter');
    await alert().getByText('This looks like a scanned label').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    expect(await store.count()).toBe(3);
    await name().fill('');
  });
});

it('a person who types slowly leaves the search field by Tab', async () => {
  const field = page.getByRole('combobox', { name: 'Find an animal' });
  await field.pressSequentially('Mia', { delay: 150 });
  await page.keyboard.press('Tab');
  await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(false);
  expect(await heading('Animals').count()).toBe(1);
});

it('a form that has just opened ignores Enter', async () => {
  await page.getByRole('link', { name: 'Add animal' }).click();
  await name().fill('Typed by a scanner');
  await page.keyboard.press('Enter');
  expect([await name().inputValue(), await store.count()]).toEqual(['Typed by a scanner', 3]);
  await formTakesEnter(page);
  await name().fill('Typed by a person');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Added .*number \d+$/ }).waitFor();
  expect((await store.newest()).name).toBe('Typed by a person');
});

it('a key with a letter does nothing', async () => {
  for (const key of ['j', 'k', 'c', 'o', 'n', 'a', 'x', 'C', 'N']) {
    await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    expect([key, new URL(page.url()).pathname, focused]).toEqual([key, '/pets', 'H1']);
  }
});
