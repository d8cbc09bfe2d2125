import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { AddForm } from './support/add-form.js';
import { focused, tabTo } from './support/keyboard.js';
import { api, errors, failures, holdRequests, openPage } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (const status of ['available', 'pending', 'sold'] as const)
    await store.add({ name: `A ${status} one`, categoryId: 7n, status });
});

const link = (name: string | RegExp) => page.getByRole('link', { name });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const search = () => page.getByRole('combobox', { name: 'Find an animal' });
const press = (key: string) => page.keyboard.press(key);
const type = (text: string) => page.keyboard.type(text);

describe('a browser that does not run the code of Petstore', () => {
  const notice = () => page.getByText('Petstore is loading. If it does not appear, reload the page.');

  it.each([
    ['lacks a part of the syntax', '/pets', /\/index-.*\.js$/, 'class {'],
    ['gets no files, because the address has a path', '/petstore/', /\/assets\//, undefined],
  ])('%s: the page says after a while which browsers and addresses work', async (_, path, files, body) => {
    ({ page } = await openPage(store.browser));
    // The notice appears after some seconds, which pass when the test says so.
    await page.addInitScript(() =>
      addEventListener('animationstart', () => document.getAnimations().forEach((animation) => animation.pause())),
    );
    await page.route(files, (route) =>
      body === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body }),
    );
    await page.goto(store.url(path));
    const paused = () => page.evaluate(() => document.getAnimations().map(({ playState }) => playState));
    await expect.poll(paused).toEqual(['paused']);
    expect(await notice().isVisible()).toBe(false);
    await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
    await notice().waitFor();
    await page.getByText('Chrome and Edge 111, Firefox 115, Safari 16.4').waitFor();
    await page.getByText('a host without a path').waitFor();
    await page.close();
    // The browser logs why the code did not start.
    errors.splice(0);
    failures.splice(0);
  });

  it('because JavaScript is off says that', async () => {
    ({ page } = await openPage(store.browser, { javaScriptEnabled: false }));
    await page.goto(store.url('/pets'));
    const text = page.locator('noscript p');
    await text.waitFor();
    // getByText does not find it.
    expect(await text.innerText()).toMatch(/^Turn on JavaScript to use Petstore\./);
    await page.close();
    // The browser does not finish the preloads.
    failures.splice(0);
  });
});

describe('on one page, which each test loads at the list,', () => {
  beforeAll(async () => {
    ({ page } = await store.visit('/pets'));
  });
  beforeEach(async () => {
    // The defaults of openPage.
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
    await page.goto(store.url('/pets'));
    await link('A sold one').waitFor();
  });
  afterEach(() => page.unrouteAll());

  it('a page that cannot be shown says which animals were added before', async () => {
    await link('Add animal').click();
    const form = await AddForm.on(page);
    await form.enter({ name: 'Bella', category: '7' });
    await form.submit();
    await form.added.waitFor();
    const body = 'export const OverviewPage = () => { throw new Error("Broken"); };';
    await page.route('**/assets/overview-page-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body }),
    );
    await link('Overview').click();
    await heading("This page can't be shown").waitFor();
    await page.getByText(/Before this error: Added .*Bella.* as number \d+\. Do not add it again\./).waitFor();
    errors.splice(0);
  });

  it('the menu is opened by the keyboard, names the key, its rights and the version, and sets the theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    await heading('Animals').waitFor();
    const colors = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect.poll(colors).toBe('dark');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await press('Enter');
    for (const text of ['bootstrap', 'Can see and add animals', /^Version \d+\.\d+\.\d+$/])
      await menu.getByText(text).waitFor();
    for (const name of ['Export animals', 'Guide']) await menu.getByRole('link', { name }).waitFor();
    expect(await menu.getByRole('link', { name: 'Print labels' }).isVisible()).toBe(false);
    await focused(page, 'Export animals');
    await press('Escape');
    await menu.waitFor({ state: 'detached' });
    await focused(page, 'Menu');

    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(colors).toBe('light');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await menu.locator('label', { hasText: name }).click();
      await menu.getByRole('radio', { name, checked: true }).waitFor({ state: 'attached' });
      await press('Escape');
      await menu.waitFor({ state: 'detached' });
    };
    await choose('Dark');
    await expect.poll(colors).toBe('dark');
    await page.reload();
    await heading('Animals').waitFor();
    await expect.poll(colors).toBe('dark');
    await choose('System');
    await expect.poll(colors).toBe('light');
  });

  it('forced colors keep the focus, the status, the filter and the buttons visible', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const border = (element: Element) => getComputedStyle(element).borderTopStyle;
    const outline = (element: Element) => getComputedStyle(element).outlineStyle;
    for (const status of ['available', 'pending', 'sold']) {
      const row = page.getByRole('row', { name: `A ${status} one` });
      const shown = row.locator('[data-status]').filter({ hasText: new RegExp(`^${status}$`, 'i') });
      expect(await shown.evaluate(border), status).toBe('solid');
    }
    const links = [/^All/, /^Sold/, /^Animals$/, /^Overview$/].map((name) => link(name).evaluate(outline));
    expect(await Promise.all(links)).toEqual(['solid', 'none', 'solid', 'none']);
    expect(await link('Add animal').evaluate(border)).toBe('solid');
    const firstRow = await page.locator('tbody a').first().innerText();
    for (const name of ['Petstore', 'Find an animal', 'Menu', 'Add animal', /^Sold/, firstRow]) await tabTo(page, name);
    await link('Add animal').click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.focus();
    expect(await name.evaluate(outline)).toBe('solid');
    const tick = (status: string) => page.locator('label', { hasText: status }).locator('svg').count();
    expect([await tick('Available'), await tick('Sold')]).toEqual([1, 0]);
  });

  it('loading rows move unless the person has asked for reduced motion', async () => {
    const letGo = await holdRequests(page, api);
    await link(/^Sold/).click();
    await page.locator('main [aria-busy=true]').first().waitFor();
    const moves = () => page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running'));
    expect(await moves()).toBe(false);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(moves).toBe(true);
    letGo();
    await link('A sold one').waitFor();
  });

  describe('keyboard shortcuts', () => {
    const options = () => page.getByRole('listbox').getByRole('option');

    it('focus the search by / and by a digit, which opens the animal, and are typed into text fields', async () => {
      await press('/');
      await focused(page, 'Find an animal');
      await heading('Animals').focus();
      await type('2');
      await press('Enter');
      await heading('A pending one').waitFor();
      await press('/');
      await type('sold one');
      await press('Shift+Enter');
      await heading('Results for “sold one”').waitFor();
      await link('Add animal').click();
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.focus();
      await type('jack/c?');
      expect(await name.inputValue()).toBe('jack/c?');
    });

    it('open the search by Ctrl-K in a field too, also with Caps Lock, other letters and an input method', async () => {
      await link('Add animal').click();
      const name = page.getByRole('textbox', { name: 'Name' });
      const code = 'KeyK';
      const events: Record<string, string | boolean>[] = [
        { key: 'k', code, ctrlKey: true },
        { key: 'K', code, ctrlKey: true },
        { key: 'л', code, ctrlKey: true },
        { key: 'Process', code, metaKey: true },
        { key: 'k', code: 'KeyV', ctrlKey: true },
      ];
      const opens = (event: Record<string, string | boolean>) =>
        name.evaluate((field, init) => {
          field.focus();
          field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
          return document.activeElement !== field;
        }, event);
      for (const event of events) expect(await opens(event), JSON.stringify(event)).toBe(true);
      expect(await opens({ key: 'л', code })).toBe(false);
      await name.focus();
      await press('Control+k');
      await focused(page, 'Find an animal');
      const labels = ['Add animal', 'Overview', 'Import animals', 'Scan a label', 'Keyboard shortcuts'];
      for (const label of labels) await options().filter({ hasText: label }).waitFor();
      expect(await violations(page)).toEqual([]);
      await press('Escape');
      await expect.poll(() => options().count()).toBe(0);
      await type('overview');
      await press('Enter');
      await heading('Overview').waitFor();
      await press('/');
      await options().getByText('Print labels').click();
      await heading('Print labels').waitFor();
    });

    it('do nothing behind a dialog, and are listed by ?', async () => {
      await search().fill('scan');
      await press('ArrowDown');
      await press('Enter');
      const scan = page.getByRole('dialog');
      await scan.waitFor();
      for (const key of ['Control+k', '/', '?']) await press(key);
      expect(await scan.count()).toBe(1);
      expect((await focus(page)).name).not.toBe('Find an animal');
      await press('Escape');
      await scan.waitFor({ state: 'detached' });
      await heading('Animals').focus();
      await press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.waitFor();
      const keys = ['CtrlK', '/', '0…9', 'ShiftEnter', '↑↓', 'HomeEnd', 'Space', 'Esc', '?'];
      expect(await help.locator('dt').allTextContents()).toEqual(keys);
      expect(await violations(page)).toEqual([]);
      await help.getByRole('button', { name: 'Close' }).click();
      await help.waitFor({ state: 'detached' });
    });
  });
});
