import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open('2,Dogs', '7,Rabbits');
  await store.add({ name: 'Koi', categoryId: 30n });
  // The service counts the animals of categories every 10 seconds.
  const isCounted = async () =>
    expect(await (await store.service.fetch('/categories.json')).text()).toContain('"id":30');
  await vi.waitFor(isCounted, { timeout: 30_000, interval: 500 });
  ({ page } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
  await page.getByRole('button', { name: 'Another number' }).click();
});

const category = () => page.getByRole('combobox', { name: 'Category' });
const newest = () => store.newest();
const question = () => page.getByRole('alert');
const add = async (name: string, text: string) => {
  await form.name.fill(name);
  await category().fill(text);
  await form.name.focus();
  await page.keyboard.press('Enter');
};

it('a category without a name and without animals is asked about before its first animal is added', async () => {
  await add('Bolt', '22');
  await question().getByText('No animal is in category 22, and it has no name. Add it anyway?').waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  // A second Enter answers nothing.
  await page.keyboard.press('Enter');
  expect([form.posted, await form.name.inputValue()]).toEqual([[], 'Bolt']);
  await question().getByRole('button', { name: 'Change the category' }).click();
  await expect.poll(() => isFocused(category())).toBe(true);
  expect(await question().count()).toBe(0);
  await add('Bolt', '-5');
  await question().getByText('No animal is in category -5,').waitFor();
  await question().getByRole('button', { name: 'Add it anyway' }).click();
  await form.added.waitFor();
  expect((await store.newest()).categoryId).toBe(-5n);
});

it('the answer counts for the next animals, however the category is written', async () => {
  for (const [index, text] of ['-5', 'Category -5', 'category -5'].entries()) {
    await add(`Bolt ${index}`, text);
    await expect.poll(newest).toMatchObject({ name: `Bolt ${index}`, categoryId: -5n });
    expect(await question().count()).toBe(0);
  }
});

it('a category with a name or with animals is not asked about', async () => {
  for (const [text, id] of [
    ['7', 7n],
    ['dogs', 2n],
    ['30', 30n],
  ] as const) {
    await add(`Flop ${text}`, text);
    await expect.poll(newest).toMatchObject({ name: `Flop ${text}`, categoryId: id });
    expect(await question().count()).toBe(0);
  }
});

it('a list of names is asked about once, too', async () => {
  await category().fill('23');
  await form.name.focus();
  await page.keyboard.insertText('Ada\nEva');
  const addList = page.getByRole('button', { name: 'Add these 2 animals' });
  await addList.click();
  await question().getByText('No animal is in category 23,').waitFor();
  expect(await addList.count()).toBe(0);
  await question().getByRole('button', { name: 'Change the category' }).click();
  await category().fill('24');
  await addList.click();
  await question().getByRole('button', { name: 'Add it anyway' }).click();
  await page.getByRole('main').getByText('Added 2 animals').waitFor();
  expect([await store.names(23n), await store.names(24n), await question().count()]).toEqual([[], ['Ada', 'Eva'], 0]);
});
