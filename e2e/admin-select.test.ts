import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { focus, violationsInAllLooks } from './support/accessibility.js';
import { chooseInListMenu, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(25, (number) => ({ status: number % 2 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});

const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const checkbox = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const checked = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true, checked: true });
const bar = () => page.getByRole('region', { name: 'Selection' });

async function labelNames(count: number): Promise<string[]> {
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText(`${count} labels.`).waitFor();
  return labels.getByRole('listitem').locator('bdi:first-child').allInnerTexts();
}

it('selected animals of several pages and filters get labels, and stay selected until the person cancels or signs out', async () => {
  // The row shows its checkbox under the pointer. The others follow the first one.
  const opacity = () => checkbox('Animal 25').evaluate((box) => getComputedStyle(box.parentElement ?? box).opacity);
  await link('Animal 24').hover();
  expect(await opacity()).toBe('0');
  await link('Animal 25').hover();
  expect(await opacity()).toBe('1');
  await checkbox('Animal 25').check();
  expect((await focus(page)).name).toBe('Select Animal 25');
  await page.getByRole('row', { name: /Animal 24/ }).click({ position: { x: 20, y: 10 } });
  await link('Next').click();
  await checkbox('Animal 3').check();
  await link(/^Sold/).click();
  await checked('Animal 24').waitFor();
  await checkbox('Animal 22').check();
  await checkbox('Animal 24').uncheck();
  await bar().getByText('3 selected').waitFor();
  await bar().getByRole('link', { name: 'Print labels' }).click();
  expect(await labelNames(3)).toEqual(['Animal 3', 'Animal 22', 'Animal 25']);
  await page.goBack();
  await checked('Animal 22').waitFor();
  await button('Cancel').click();
  await link('Animal 22').waitFor();
  expect(await bar().count()).toBe(0);
  expect((await focus(page)).name).toBe('Animals');
  expect(await checkbox('Animal 22').isChecked()).toBe(false);
  await chooseInListMenu(page, 'Select animals for labels');
  await bar().getByText('Select the animals that need labels.').waitFor();
  await checkbox('Animal 22').check();
  await page.getByRole('checkbox', { name: 'All on this page' }).check();
  await bar().getByText('12 selected').waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);

  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await link('Animal 22').waitFor();
  expect(await bar().count()).toBe(0);
});
