import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { failures, openPage, refresh } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  const categoryId = 9223372036854775807n;
  await store.addNumbered(25, (number) => ({ categoryId, status: number % 2 ? 'available' : 'sold' }));
});
afterEach(async () => {
  await page.unrouteAll();
  // Failed requests belong to these tests.
  failures.splice(0);
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const text = (content: string) => page.getByText(content).first();
const click = (name: string) => page.getByRole('button', { name }).click();

interface State {
  path: string;
  /** What the person does on the page. */
  act?: () => Promise<unknown>;
  shown: () => Locator;
}

/** Other files check the states that their tests reach. */
const states: Record<string, State> = {
  'found animals': {
    path: '/pets',
    act: () => page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal'),
    shown: () => page.getByRole('option', { name: 'Show all results' }),
  },
  'the menu': {
    path: '/pets?order=asc&limit=50',
    act: () => click('Menu'),
    shown: () => page.getByRole('dialog', { name: 'Menu' }),
  },
  'an empty list': { path: '/pets?status=pending', shown: () => text('No pending animals') },
  'an error': {
    path: '/pets',
    act: async () => {
      const json = { code: 'internal_error', message: 'No.', status: 500 };
      await page.route('**/v1/**', (route) => route.fulfill({ status: 500, json }));
      await refresh(page);
    },
    shown: () => page.getByRole('alert'),
  },
  'no animal': { path: '/pets/404404', shown: () => heading('Animal not found') },
  'the form with errors': { path: '/pets/new', act: () => click('Add animal'), shown: () => text('Enter a name') },
  'the Guide': { path: '/guide', shown: () => page.getByRole('heading', { level: 2 }).first() },
  'an unknown address': { path: '/nowhere', shown: () => heading('Page not found') },
};

it('the sign-in page, also after a wrong key, is accessible and does not scroll sideways', async () => {
  ({ page } = await openPage(store.browser));
  await page.goto(store.url('/pets'));
  await page.getByRole('textbox', { name: 'Key' }).fill('psk_wrong');
  await click('Sign in');
  await page.getByRole('alert').waitFor();
  await expectNoProblems();
});

describe('on one page,', () => {
  beforeAll(async () => void ({ page } = await store.visit('/pets')));

  it.each(Object.entries(states))('%s is accessible and does not scroll sideways', async (_, { path, act, shown }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(store.url(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await act?.();
    await shown().waitFor();
    await expectNoProblems();
  });
});

async function expectNoProblems(): Promise<void> {
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  // An open menu follows the new size with the next frame.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
