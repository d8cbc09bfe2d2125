import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { focused, tabTo } from './support/keyboard.js';
import { api, holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page. The theme is the one of the device by default. */
beforeAll(async () => {
  store = await Store.open();
  for (const status of ['available', 'pending', 'sold'] as const) {
    await store.add({ name: `A ${status} one`, categoryId: 7n, status });
  }
  ({ page } = await store.visit('/pets', { colorScheme: 'dark' }));
});

const link = (name: string | RegExp) => page.getByRole('link', { name });

describe('the menu', () => {
  const menu = () => page.getByRole('button', { name: 'Menu' });
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);

  it('is opened by the keyboard, shows the version, returns the focus, and sets the theme', async () => {
    const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark');
    const theme = async (name: string) => {
      await menu().click();
      await page.getByRole('menuitemradio', { name }).click();
      await page.keyboard.press('Escape');
    };
    await expect.poll(isDark).toBe(true);
    await menu().focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Version \d+\.\d+\.\d+$/).waitFor();
    await focused(page, 'System theme');
    await page.keyboard.press('Escape');
    await focused(page, 'Menu');

    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(isDark).toBe(false);
    await theme('Dark theme');
    expect(await scheme()).toBe('dark');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await isDark()).toBe(true);

    await theme('System theme');
    await expect.poll(isDark).toBe(false);
  });
});

it('forced colors keep the focus, the status, the filter and the buttons visible', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(store.url('/pets'));
  await link('A sold one').waitFor();
  const border = (element: Element) => getComputedStyle(element).borderTopStyle;
  const statuses = page.locator('tbody [data-status]');
  expect(await Promise.all((await statuses.all()).map((status) => status.evaluate(border)))).toEqual(
    Array.from({ length: 3 }, () => 'solid'),
  );
  const outline = (element: Element) => getComputedStyle(element).outlineStyle;
  const links = [/^All/, /^Sold/, /^Animals$/, /^Overview$/].map((name) => link(name).evaluate(outline));
  expect(await Promise.all(links)).toEqual(['solid', 'none', 'solid', 'none']);
  expect(await link('Add animal').evaluate(border)).toBe('solid');
  for (const name of ['Petstore', 'Find an animal', 'Menu', 'Add animal', 'Sold 1', 'A sold one'])
    await tabTo(page, name);
  await link('Add animal').click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.focus();
  expect(await name.evaluate(outline)).toBe('solid');
  const chosen = page.locator('label', { hasText: 'Available' });
  expect(await chosen.evaluate((label) => getComputedStyle(label).borderTopWidth)).toBe('2px');
});

describe('reduced motion', () => {
  const moving = () => page.evaluate(() => document.getAnimations().length);

  /** Returns whether anything is animated while the list loads, and while it refreshes. */
  async function motions(reducedMotion: 'reduce' | 'no-preference'): Promise<boolean[]> {
    await page.emulateMedia({ reducedMotion });
    await page.goto(store.url('/pets?status=available'));
    await link('A available one').waitFor();
    const letGo = await holdRequests(page, api);
    await link(/^Sold/).click();
    await page.locator('section[aria-busy=true]').waitFor();
    const loading = await moving();
    letGo();
    await link('A sold one').waitFor();
    await page.unroute(api);
    await page.route(api, () => undefined);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    const refreshing = await moving();
    await page.unroute(api);
    return [loading > 0, refreshing > 0];
  }

  it('stops the animations that show loading', async () => {
    await page.emulateMedia({ forcedColors: 'none' });
    expect(await motions('no-preference')).toEqual([true, true]);
    expect(await motions('reduce')).toEqual([false, false]);
  });
});
