import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { focused } from './support/keyboard.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (const status of ['available', 'pending', 'sold'] as const) {
    await store.add({ name: `A ${status} one`, categoryId: 7n, status });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

const link = (name: string | RegExp) => page.getByRole('link', { name });
const submit = () => page.getByRole('button', { name: 'Add animal' });

describe('the menu', () => {
  const menu = () => page.getByRole('button', { name: 'Menu' });
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);

  it('is opened by the keyboard, shows the version, returns the focus, and sets the theme', async () => {
    // The theme is the one of the device by default.
    ({ page } = await store.visit('/pets', { colorScheme: 'dark' }));
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

describe('forced colors', () => {
  const schemes = ['light', 'dark'] as const;

  /** What the page has in both schemes. */
  async function inBothSchemes<Found>(find: (colorScheme: string) => Promise<Found>): Promise<Found[]> {
    const all = [];
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      all.push(await find(colorScheme));
    }
    return all;
  }

  it('pass axe on every page', async () => {
    ({ page } = await openPage(store.browser, { forcedColors: 'active' }));
    // The color schemes differ only in colors.
    const found = () => inBothSchemes((colorScheme) => violations(page, { onlyColors: colorScheme === 'dark' }));
    await page.goto(store.url('/pets'));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await found()).toEqual([[], []]);
    await page.goto(store.url(`/pets#key=${key}`));
    await link('A sold one').waitFor();
    expect(await found()).toEqual([[], []]);
    await link('A available one').click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await found()).toEqual([[], []]);
    await page.goto(store.url('/pets/new'));
    await submit().click();
    await page.getByText('Enter a name').waitFor();
    expect(await found()).toEqual([[], []]);
  });

  it('keep the focus, the status, the filter and the buttons visible, light and dark', async () => {
    ({ page } = await store.visit('/pets', { forcedColors: 'active' }));
    await link('A sold one').waitFor();
    const border = (element: Element) => getComputedStyle(element).borderTopStyle;
    const statusBorders = () =>
      page
        .locator('tbody [data-status]')
        .evaluateAll((statuses) => statuses.map((status) => getComputedStyle(status).borderTopStyle));
    expect(await inBothSchemes(statusBorders)).toEqual(schemes.map(() => ['solid', 'solid', 'solid']));
    const outline = (name: RegExp) => link(name).evaluate((choice) => getComputedStyle(choice).outlineStyle);
    const marked = [/^All/, /^Sold/, /^Animals$/, /^Overview$/];
    const outlines = await inBothSchemes(() => Promise.all(marked.map(outline)));
    expect(outlines).toEqual(schemes.map(() => ['solid', 'none', 'solid', 'none']));
    expect(await inBothSchemes(() => link('Add animal').evaluate(border))).toEqual(['solid', 'solid']);

    const focusNow = () => focus(page);
    for (const name of ['Petstore', 'Find an animal', 'Menu', 'Add animal', 'Sold 1', 'A sold one']) {
      for (let stops = 0; (await focus(page)).name !== name && stops < 20; stops += 1) await page.keyboard.press('Tab');
      const visible = { name, isBody: false, isVisible: true };
      expect(await inBothSchemes(focusNow)).toMatchObject([visible, visible]);
    }
    await link('Add animal').click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.focus();
    const focusOutline = () => name.evaluate((field) => getComputedStyle(field).outlineStyle);
    expect(await inBothSchemes(focusOutline)).toEqual(['solid', 'solid']);
  });
});

describe('reduced motion', () => {
  const moving = () => page.evaluate(() => document.getAnimations().length);

  /** Returns whether anything is animated while the list loads, and while it refreshes. */
  async function motions(reducedMotion: 'reduce' | 'no-preference'): Promise<boolean[]> {
    await page.emulateMedia({ reducedMotion });
    await page.goto(store.url('/pets?status=available'));
    await link('A available one').waitFor();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/v1/**', async (route) => {
      await held;
      await route.continue();
    });
    await link(/^Sold/).click();
    await page.locator('section[aria-busy=true]').waitFor();
    const loading = await moving();
    letGo();
    await link('A sold one').waitFor();
    await page.unroute('**/v1/**');
    await page.route('**/v1/**', () => undefined);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('button[aria-busy=true]').waitFor();
    const refreshing = await moving();
    await page.unroute('**/v1/**');
    return [loading > 0, refreshing > 0];
  }

  it('stops the animations that show loading', async () => {
    ({ page } = await store.visit('/pets/new'));
    expect(await motions('no-preference')).toEqual([true, true]);
    expect(await motions('reduce')).toEqual([false, false]);
  });
});
