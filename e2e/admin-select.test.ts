import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { focus, violationsInAllLooks } from './support/accessibility.js';
import { focused } from './support/keyboard.js';
import { chooseInListMenu, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

/** 25 animals, every second one sold. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(25, (number) => ({ status: number % 2 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});
/** A page that loads again has no selection. */
beforeEach(async () => {
  await page.goto(store.url('/pets'));
  await page.reload();
  await link('Animal 25').waitFor();
});

const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const checkbox = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const checked = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true, checked: true });
const all = () => page.getByRole('checkbox', { name: 'All on this page' });
const isPartly = () => all().evaluate((box: HTMLInputElement) => box.indeterminate);
const bar = () => page.getByRole('region', { name: 'Selection' });
const selected = (count: number) => bar().getByText(`${count} selected`).waitFor();

it('animals of several pages and filters stay selected while others are opened, and get labels', async () => {
  await checkbox('Animal 25').check();
  expect((await focus(page)).name).toBe('Select Animal 25');
  // A row opens its animal, also during the selection.
  await link('Animal 24').click();
  await page.getByRole('heading', { level: 1, name: 'Animal 24' }).waitFor();
  await page.goBack();
  await checked('Animal 25').waitFor();
  await link('Next').click();
  await checkbox('Animal 3').check();
  await link(/^Sold/).click();
  await checkbox('Animal 22').check();
  await selected(3);
  await bar().getByRole('link', { name: 'Print labels' }).click();
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText('3 labels').waitFor();
  const names = await labels.getByRole('listitem').locator('bdi:first-child').allInnerTexts();
  expect(names).toEqual(['Animal 3', 'Animal 22', 'Animal 25']);
  await page.goBack();
  await checked('Animal 22').waitFor();
  // As the browser does after printing.
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await bar().waitFor({ state: 'detached' });
});

it('Shift selects a range, also with the keyboard, and the box of the heading selects the page', async () => {
  await checkbox('Animal 24').click();
  expect(await isPartly()).toBe(true);
  await checkbox('Animal 20').click({ modifiers: ['Shift'] });
  await selected(5);
  await checkbox('Animal 22').uncheck();
  await checkbox('Animal 21').click({ modifiers: ['Shift'] });
  await selected(3);
  await page.keyboard.press('ArrowDown');
  await focused(page, 'Animal 20');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await checked('Animal 19').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Space');
  await selected(17);
  await all().check();
  await selected(20);
  expect([await all().isChecked(), await isPartly()]).toEqual([true, false]);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await all().uncheck();
  await bar().waitFor({ state: 'detached' });
});

it('it ends by Cancel, Escape and signing out, but not by the Escape that closes a menu', async () => {
  await chooseInListMenu(page, 'Select animals');
  await bar().getByText('Select the animals.').waitFor();
  await bar().getByRole('button', { name: 'Cancel' }).click();
  await bar().waitFor({ state: 'detached' });
  await focused(page, 'Animals');
  await checkbox('Animal 25').check();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' });
  await selected(1);
  await page.keyboard.press('Escape');
  await bar().waitFor({ state: 'detached' });
  await checkbox('Animal 25').check();
  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await link('Animal 25').waitFor();
  expect(await bar().count()).toBe(0);
});
