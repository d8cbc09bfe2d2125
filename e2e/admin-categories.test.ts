import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsAsShown } from './support/accessibility.js';
import { formTakesEnter } from './support/add-form.js';
import { openPage } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

// More than 8 names: the form then has a list to search.
const names = ['Dogs', 'Cats and dogs', 'Cats', 'Rabbits', 'Rats', 'Ångström fish', 'Box 12', 'Ducks', 'Yaks'];

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open('9007199254740993,Big cats', ...names.map((text, index) => `${index + 1},${text}`));
  await store.add({ name: 'Leo', categoryId: 9007199254740993n });
  await store.add({ name: 'Flop', categoryId: 4n });
  await store.add({ name: 'Nemo', categoryId: 50n });
  ({ page } = await store.visit('/pets'));
});

it('names of categories replace the numbers in the list and on the page of an animal, and lead to the animals of the exact number', async () => {
  await page.getByRole('cell', { name: 'Big cats' }).waitFor();
  const cells = await page.locator('tbody td:nth-child(3)').allInnerTexts();
  expect(cells).toEqual(['50', 'Rabbits', 'Big cats']);
  await page.getByRole('link', { name: 'Leo' }).click();
  await page.getByRole('definition').filter({ hasText: 'Big cats' }).waitFor();
  await page.goto(store.url('/overview'));
  await page.getByRole('link', { name: 'Big cats', exact: true }).click();
  await page.getByRole('link', { name: 'Leo' }).waitFor();
  expect(new URL(page.url()).search).toBe('?category=9007199254740993');
});

describe('the field of the category', () => {
  let category: Locator;
  let name: Locator;

  /** All tests use one form, which each test empties. */
  beforeAll(async () => {
    await page.goto(store.url('/pets/new'));
    category = page.getByRole('combobox', { name: 'Category' });
    name = page.getByRole('textbox', { name: 'Name' });
    await category.waitFor();
    await formTakesEnter(page);
  });
  beforeEach(() => category.fill(''));

  /** Types a text like a person, with the name of an animal that the store does not have in any case. */
  async function typeCategory(typed: string): Promise<string> {
    const animal = `Typed ${await store.count()} ${typed.trim()}`;
    await name.fill(animal);
    await category.click();
    await page.keyboard.type(typed);
    return animal;
  }

  async function categoryOf(animal: string): Promise<bigint> {
    await expect.poll(async () => (await store.newest()).name).toBe(animal);
    return (await store.newest()).categoryId;
  }

  /** Enter may first take the category, then it adds the animal. */
  async function addByEnter(): Promise<void> {
    await page.keyboard.press('Enter');
    if ((await name.inputValue()) !== '') await page.keyboard.press('Enter');
  }

  /** A category without a name has no animals here. */
  async function confirmNewCategory(shown: string): Promise<void> {
    if (/^\d+$/.test(shown)) await page.getByRole('button', { name: 'Add it anyway' }).click();
  }

  it.each([
    ['Cats', 3n, 'Cats'],
    ['cats', 3n, 'Cats'],
    ['CATS', 3n, 'Cats'],
    [' Cats ', 3n, 'Cats'],
    ['Dogs', 1n, 'Dogs'],
    ['DUCKS', 8n, 'Ducks'],
    ['cats and', 2n, 'Cats and dogs'],
    ['rab', 4n, 'Rabbits'],
    ['ång', 6n, 'Ångström fish'],
    ['box', 7n, 'Box 12'],
    ['12', 12n, '12'],
    ['3', 3n, 'Cats'],
    ['1,000', 1000n, '1000'],
  ])('takes by Enter what %j says', async (typed, id, shown) => {
    const animal = await typeCategory(typed);
    await addByEnter();
    await confirmNewCategory(shown);
    expect(await categoryOf(animal)).toBe(id);
    expect(await category.inputValue()).toBe(shown);
  });

  it.each([
    ['rab', 4n, 'Rabbits'],
    ['dogs', 1n, 'Dogs'],
    ['8', 8n, 'Ducks'],
    ['42', 42n, '42'],
  ])('takes by Tab what %j says', async (typed, id, shown) => {
    const animal = await typeCategory(typed);
    if (typed === 'rab') expect(await violationsAsShown(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await category.inputValue()).toBe(shown);
    await page.getByRole('button', { name: 'Add animal' }).click();
    await confirmNewCategory(shown);
    expect(await categoryOf(animal)).toBe(id);
  });

  it.each(['c', 'Ca', 'D', 'ra', 's', 'dogs and cats', 'Dragons'])(
    'takes nothing for %j, which is no category',
    async (typed) => {
      const before = await store.count();
      await typeCategory(typed);
      await page.keyboard.press('Enter');
      await page.getByText(`No category is called “${typed}”`).waitFor();
      await page.getByRole('button', { name: 'Add animal' }).click();
      expect([await category.inputValue(), await store.count()]).toEqual([typed, before]);
    },
  );

  it('lists what begins with the text first, and keeps its category after a click', async () => {
    await category.fill('c');
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Cats and dogs', 'Cats', 'Big cats', 'Ducks']);
    await category.fill('');
    const before = await store.count();
    const first = await typeCategory('rat');
    await page.keyboard.press('Enter');
    expect([await category.inputValue(), await store.count()]).toEqual(['Rats', before]);
    await page.keyboard.press('Enter');
    expect(await categoryOf(first)).toBe(5n);
    await name.fill('Second rat');
    await category.click();
    expect(await page.getByRole('option').count()).toBe(10);
    await addByEnter();
    expect(await categoryOf('Second rat')).toBe(5n);
  });

  it('opens its list by Arrow Down with all of them, and moves no other field', async () => {
    await page.setViewportSize({ width: 320, height: 900 });
    const status = page.getByRole('group', { name: 'Status' });
    await category.focus();
    const before = await status.boundingBox();
    await category.press('ArrowDown');
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Big cats', ...names]);
    expect(await status.boundingBox()).toEqual(before);
    expect(await violationsAsShown(page)).toEqual([]);
    await page.getByRole('option', { name: 'Ducks', exact: true }).click();
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await page.getByRole('radio', { name: 'Sold' }).click();
    expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
  });
});

it('a key that may only read never sees the form or the buttons that open it', async () => {
  const readKey = await store.newKey('read');
  ({ page } = await openPage(store.browser));
  await page.goto(store.url(`/pets?order=asc#key=${readKey}`));
  await page.getByRole('link', { name: 'Flop' }).waitFor();
  expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Flop' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
  await page.goto(store.url('/pets/new'));
  await page.getByText("You don't have permission to add animals. Ask your manager.").waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).count()).toBe(0);
  await page.goto(store.url('/import'));
  await page.getByText("You don't have permission to add animals. Ask your manager.").waitFor();
  expect(await violationsAsShown(page)).toEqual([]);
});
