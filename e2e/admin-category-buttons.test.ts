import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { formTakesEnter } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  const others = ['10,Cats', '11,Dogs', '12,Mice', '13,Rats', '14,Guinea pigs and other rodents of the south'];
  store = await Store.open('7,Rabbits', '8,Fish', '9,Guinea pigs', ...others);
  ({ page } = await store.visit('/pets/new', { viewport: { width: 412, height: 900 }, hasTouch: true }));
  await formTakesEnter(page);
});

const name = () => page.getByRole('textbox', { name: 'Name' });
const category = (label: string) => page.getByRole('radio', { name: label, exact: true });
const press = () => page.getByRole('button', { name: 'Add animal' }).click();

it('up to 8 categories are buttons, and the confirmation names the category, on a phone', async () => {
  await name().fill('Hasi');
  await press();
  expect(await page.getByText('Enter a category').count()).toBe(1);
  expect(await category('Rabbits').evaluate((radio) => radio === document.activeElement)).toBe(true);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.setViewportSize({ width: 412, height: 900 });
  await category('Rabbits').check();
  await press();
  await page.getByRole('link', { name: 'Added Hasi, Rabbits, number 1' }).waitFor();
  // The next animal keeps the category, and Enter adds it.
  await page.keyboard.type('Flop');
  await page.keyboard.press('Enter');
  const added = page.getByRole('link', { name: 'Added Flop, Rabbits, number 2' });
  await added.waitFor();
  const box = await added.boundingBox();
  expect([(box?.y ?? -1) >= 0, (box?.y ?? 900) < 900, (box?.x ?? 0) + (box?.width ?? 500) <= 412]).toEqual([
    true,
    true,
    true,
  ]);
});

it('a category without a name is a number', async () => {
  await page.getByRole('button', { name: 'Another number' }).click();
  await name().fill('Nemo');
  await page.getByRole('combobox', { name: 'Category' }).fill('42');
  await press();
  await page.getByRole('alert').getByRole('button', { name: 'Add it anyway' }).click();
  await page.getByRole('link', { name: 'Added Nemo, category 42, number 3' }).waitFor();
  expect((await store.newest()).categoryId).toBe(42n);
});

it('the question about a repeat is in view on a phone', async () => {
  await name().fill('Nemo');
  await press();
  const answer = page.getByRole('alert').getByRole('button', { name: "Don't add" });
  await answer.waitFor();
  const box = await answer.boundingBox();
  expect([(box?.y ?? -1) > 0, (box?.y ?? 900) + (box?.height ?? 0) < 900]).toEqual([true, true]);
  await answer.click();
});

it('a label shows the whole category next to a name of several lines', async () => {
  for (const categoryId of [9n, 14n, 7n]) await store.add({ name: 'A name of many words '.repeat(8), categoryId });
  await page.goto(store.url('/labels?numbers=4-6'));
  const labels = page.getByRole('region', { name: 'Labels' }).getByRole('listitem');
  await labels.nth(2).waitFor();
  const categories = await labels.evaluateAll((items) =>
    items.map((item) => {
      const shown = item.querySelector('bdi:last-child');
      const isCut = !shown || shown.scrollHeight > shown.clientHeight + 1;
      const isInside = (shown?.getBoundingClientRect().bottom ?? 0) <= item.getBoundingClientRect().bottom;
      return [shown?.textContent, isCut, isInside];
    }),
  );
  expect(categories).toEqual([
    ['Guinea pigs', false, true],
    ['Guinea pigs and other rodents of the south', false, true],
    ['Rabbits', false, true],
  ]);
});
