import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
/** One page for all states: a reload is faster than a new page. */
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 25; number += 1) {
    await store.add({
      name: `Animal ${number}`,
      categoryId: 9223372036854775807n,
      status: number % 2 ? 'available' : 'sold',
    });
  }
  ({ page } = await store.visit('/pets'));
});
afterEach(async () => {
  await page.unrouteAll();
  await page.context().setOffline(false);
});
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

async function fillForm(name: string, category: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill(category);
  await page.getByRole('button', { name: 'Add animal' }).click();
}

/** Each page and state, and the steps that lead to it. The last one loses the key. */
const states: Record<string, (() => Promise<void>) | undefined> = {
  '/pets': () => page.getByRole('link', { name: 'Animal 25' }).waitFor(),
  '/pets?status=pending': () => page.getByRole('heading', { name: 'No pending animals' }).waitFor(),
  '/pets/new': () => page.getByRole('textbox', { name: 'Name' }).waitFor(),
  '/pets/new with errors': async () => {
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByRole('alert').waitFor();
  },
  '/pets/new after adding': async () => {
    await fillForm('Rex', '7');
    await page.getByRole('heading', { name: 'Just added (1)' }).waitFor();
  },
  '/pets/new with an animal that the store has': async () => {
    await fillForm('Animal 1', '9223372036854775807');
    await page.getByText('An animal with this name is already in the store').waitFor();
  },
  '/pets/new left before the answer': async () => {
    await page.route('**/v1/pets', () => undefined);
    await fillForm('Slow', '7');
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await page.getByText('Still adding').waitFor();
  },
  '/pets/1': () => page.getByRole('heading', { name: 'Animal 1', exact: true }).waitFor(),
  '/pets/404404': () => page.getByRole('heading', { name: 'Animal not found' }).waitFor(),
  '/nowhere': undefined,
  '/pets with found animals': async () => {
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
    await page.getByText(/^Searched .* animals, updated/).waitFor();
  },
  '/pets with no found animal': async () => {
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('Dragon');
    await page.getByRole('search').getByText('No animal found').waitFor();
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
  '/pets offline': async () => {
    await page.context().setOffline(true);
    await page.getByText("You're offline.").waitFor();
  },
  '/pets with the dialog': async () => {
    await failRequests(401);
    await leave();
    await page.getByRole('dialog').waitFor();
  },
};

describe('axe finds no violation at 412 and 1280 px, light and dark, and nothing scrolls sideways, also at 320 px,', () => {
  it('on the sign-in page, also after a wrong key', async () => {
    const { page: signIn } = await openPage(store.browser);
    await signIn.goto(store.url('/pets'));
    await signIn.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectNoProblems(signIn);
    await signIn.getByRole('textbox', { name: 'API key' }).fill('psk_wrong');
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.getByRole('alert').waitFor();
    await expectNoProblems(signIn);
    await signIn.close();
  });

  it.each(Object.entries(states))('at %s', async (state, reach) => {
    await page.goto(store.url(state.split(' ')[0] ?? ''));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await reach?.();
    await expectNoProblems(page);
  });
});

async function expectNoProblems(checked: Page): Promise<void> {
  expect(await violationsInAllLooks(checked)).toEqual([]);
  await checked.setViewportSize({ width: 320, height: 700 });
  // An open menu follows the new size with the next frame.
  await expect.poll(() => checked.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
