import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isThorough, violationsInAllLooks } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
/** One page for all states: a reload is faster than a new page. */
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  const categoryId = 9223372036854775807n;
  await store.addNumbered(25, (number) => ({ categoryId, status: number % 2 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});
afterEach(() => page.unrouteAll());
afterAll(() => store.close());

const failRequests = (status: number) =>
  page.route('**/v1/**', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: `{"code":"internal_error","message":"No.","status":${status}}`,
    }),
  );
const leave = () => page.getByRole('button', { name: 'Refresh' }).click();

/** The usual pages and states, and the steps that lead to them. The last one loses the key. */
const states: Record<string, () => Promise<void>> = {
  '/pets': () => page.getByRole('link', { name: 'Animal 25' }).waitFor(),
  '/pets/new with errors': async () => {
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('Enter a name').waitFor();
  },
  '/pets/1': () => page.getByRole('heading', { name: 'Animal 1', exact: true }).waitFor(),
  '/pets with found animals': async () => {
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
    await page.getByRole('option', { name: 'Show all results' }).waitFor();
  },
  '/pets with the menu': async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menu').waitFor();
  },
  '/pets with an error': async () => {
    await failRequests(500);
    await leave();
    await page.getByRole('alert').waitFor();
  },
  '/pets with the dialog': async () => {
    await failRequests(401);
    await leave();
    await page.getByRole('dialog').waitFor();
  },
};

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
  it('on the sign-in page, also after a wrong key', async () => {
    const { page: signIn } = await openPage(store.browser);
    await signIn.goto(store.url('/pets'));
    await signIn.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectNoProblems(signIn);
    await signIn.getByRole('textbox', { name: 'Key' }).fill('psk_wrong');
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.getByRole('alert').waitFor();
    await expectNoProblems(signIn);
    await signIn.close();
  });

  it.runIf(isThorough).each(paths)('at %s', async (path) => {
    await page.goto(store.url(path), { waitUntil: 'networkidle' });
    await expectNoProblems(page);
  });

  it.each(Object.entries(states))('at %s', async (state, reach) => {
    await page.goto(store.url(state.split(' ')[0] ?? ''));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await reach();
    await expectNoProblems(page);
  });
});

async function expectNoProblems(checked: Page): Promise<void> {
  expect(await violationsInAllLooks(checked)).toEqual([]);
  await checked.setViewportSize({ width: 320, height: 700 });
  // An open menu follows the new size with the next frame.
  await expect.poll(() => checked.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
