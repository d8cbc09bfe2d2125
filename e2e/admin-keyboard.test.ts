import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { focused, tabTo } from './support/keyboard.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(25, (number) => ({ status: number % 2 ? 'available' : 'sold' }));
  ({ page } = await openPage(store.browser));
});

const press = (name: string) => page.keyboard.press(name);
const heading = async (name: string) => {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await focused(page, name);
};

it('with the keyboard only, a user can sign in, filter, page, add, view and sign out, and never loses the focus', async () => {
  await page.goto(store.url('/'));
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.keyboard.type(key);
  await press('Enter');
  await page.getByRole('link', { name: 'Animal 25' }).waitFor();
  await heading('Animals');

  await page.reload();
  await page.getByRole('link', { name: 'Animal 25' }).waitFor();
  expect((await focus(page)).isBody).toBe(true);
  await tabTo(page, 'Skip to content');
  await press('Enter');
  await tabTo(page, /^Available/);
  await press('Enter');
  await page.waitForURL(/status=available/);
  expect((await focus(page)).name).toMatch(/^Available/);
  await page.goBack();
  await page.getByText('1–20 of').waitFor();

  await tabTo(page, 'Next');
  await press('Enter');
  await page.getByText('21–25 of').waitFor();
  expect((await focus(page)).name).toBe('Next');
  await tabTo(page, 'Animal 5', 'Shift+Tab');
  await press('End');
  await focused(page, 'Animal 1');
  await press('Enter');
  await heading('Animal 1');
  await tabTo(page, 'Copy link');
  await press('Enter');
  await focused(page, 'Copied');
  await page.goBack();
  await focused(page, 'Animal 1');

  await tabTo(page, 'Add animal');
  await press('Enter');
  await focused(page, 'Name');
  await page.keyboard.type('Typed');
  await press('Enter');
  await focused(page, 'Category number');
  await page.keyboard.type('7');
  await press('Enter');
  await page.getByRole('link', { name: /^Added .*number \d+$/ }).waitFor();
  await focused(page, 'Name');
  for (let stops = 0; (await focus(page)).name !== 'Petstore' && stops < 10; stops += 1) await press('Shift+Tab');
  await tabTo(page, 'Menu');
  await press('Enter');
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
  await tabTo(page, 'Sign out');
  await press('Enter');
  await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
  expect((await focus(page)).isBody).toBe(false);
});
