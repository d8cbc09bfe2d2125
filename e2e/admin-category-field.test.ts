import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formTakesEnter } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let category: Locator;
let name: Locator;

/** All tests use one form, which each test empties. */
beforeAll(async () => {
  const names = ['Dogs', 'Cats and dogs', 'Cats', 'Rabbits', 'Rats', 'Ångström fish', 'Box 12', 'Ducks', 'Yaks'];
  store = await Store.open(...names.map((text, index) => `${index + 1},${text}`));
  ({ page } = await store.visit('/pets/new'));
  category = page.getByRole('combobox', { name: 'Category' });
  name = page.getByRole('textbox', { name: 'Name' });
  await category.waitFor();
  await formTakesEnter(page);
});
beforeEach(() => category.fill(''));

/** Enter may first take the category, then it adds the animal. Returns the category of the animal. */
async function addByEnter(animal: string): Promise<bigint> {
  await page.keyboard.press('Enter');
  if ((await name.inputValue()) !== '') await page.keyboard.press('Enter');
  await expect.poll(async () => (await store.newest().catch(() => undefined))?.name).toBe(animal);
  return (await store.newest()).categoryId;
}

describe('Enter in Category takes', () => {
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
  ])('what %j says', async (typed, id, shown) => {
    // Not the text alone: names that differ only in case are repeats.
    const animal = `Typed ${await store.count()} ${typed}`;
    await name.fill(animal);
    await category.click();
    await page.keyboard.type(typed);
    expect(await addByEnter(animal)).toBe(id);
    expect(await category.inputValue()).toBe(shown);
  });

  it.each(['c', 'Ca', 'D', 'ra', 'dogs and cats'])('nothing for %j, which is no category', async (typed) => {
    const before = await store.count();
    await name.fill('Unclear');
    await category.click();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByText(`No category is called “${typed}”`).waitFor();
    expect([await category.inputValue(), await store.count()]).toEqual([typed, before]);
  });

  it('the kept category after a click into the field', async () => {
    await name.fill('First rat');
    await category.fill('Rats');
    expect(await addByEnter('First rat')).toBe(5n);
    await name.fill('Second rat');
    await category.click();
    expect(await page.getByRole('option').count()).toBe(9);
    expect(await addByEnter('Second rat')).toBe(5n);
  });
});
