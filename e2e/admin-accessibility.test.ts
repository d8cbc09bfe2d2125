import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isThorough, violationsInAllLooks } from './support/accessibility.js';
import { failures, openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
/** One page for all states, in which one follows the other. */
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  const categoryId = 9223372036854775807n;
  await store.addNumbered(25, (number) => ({ categoryId, status: number % 2 ? 'available' : 'sold' }));
  ({ page } = await openPage(store.browser));
  await page.goto(store.url('/pets'));
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));

async function refreshWith(status: number): Promise<void> {
  await page.route('**/v1/**', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: `{"code":"internal_error","message":"No.","status":${status}}`,
    }),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
}
const navigate = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** The usual pages and states, and the steps that lead from one to the next. The last one loses the key. */
const states: Record<string, () => Promise<void>> = {
  'the sign-in page': () => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  'a wrong key': async () => {
    await signIn('psk_wrong');
    await page.getByRole('alert').waitFor();
  },
  'the list': async () => {
    await signIn(key);
    await page.getByRole('link', { name: 'Animal 25' }).waitFor();
  },
  'found animals': async () => {
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
    await page.getByRole('option', { name: 'Show all results' }).waitFor();
  },
  'the menu': async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menu').waitFor();
  },
  'an animal': async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Animal 25' }).click();
    await page.getByRole('heading', { level: 1, name: 'Animal 25' }).waitFor();
  },
  'the form with errors': async () => {
    await navigate('Add');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('Enter a name').waitFor();
  },
  'an error': async () => {
    await navigate('Animals');
    await page.getByRole('link', { name: 'Animal 25' }).waitFor();
    await refreshWith(500);
    await page.getByRole('alert').waitFor();
  },
  'the dialog': async () => {
    await refreshWith(401);
    await page.getByRole('dialog').waitFor();
    await page.unrouteAll();
  },
};

async function signIn(value: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Key' }).fill(value);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Other pages, which open without steps. Other files check what their tests open. */
const paths = [
  '/pets?order=asc&limit=50',
  '/pets?status=pending',
  '/pets?after=wrong&page=2',
  '/pets/404404',
  '/nowhere',
  '/overview',
  '/pets/new',
  '/export',
  '/guide',
];

describe('axe finds no violation on a phone and a wide screen, light or dark, and nothing scrolls sideways, also at 320 px,', () => {
  it.each(Object.entries(states))('at %s', async (_, reach) => {
    await reach();
    await expectNoProblems();
  });

  it.runIf(isThorough).each(paths)('at %s', async (path) => {
    await page.goto(store.url(`${path}#key=${key}`), { waitUntil: 'networkidle' });
    await expectNoProblems();
  });
});

async function expectNoProblems(): Promise<void> {
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  // An open menu follows the new size with the next frame.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
