import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AddForm, isFocused } from './support/add-form.js';
import { importStep } from './support/import-steps.js';
import { errors, failures, holdRequests, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize } from './support/swagger-ui.js';

let store: Store;
let page: Page;

/** The tests use one page, in which one continues after the other, unless they change its browser. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
  ({ page } = await openPage(store.browser));
});

const link = (name: string) => page.getByRole('link', { name });

describe('a browser that cannot run the code of Petstore', () => {
  const loading = () => page.getByText('Loading…');
  const notice = () => page.getByText('Petstore has not started.');

  afterEach(() => page.unrouteAll());

  it.each([
    ['whose JavaScript lacks a part of the syntax', '/pets', /index-.*\.js$/, 'class {'],
    ['that lacks a function at the start', '/pets', /index-.*\.js$/, 'undefined.call()'],
    ['that loads no scripts', '/pets', /\.js$/, undefined],
    ['that gets none of the files, because the address has a path', '/petstore/', /\/assets\//, undefined],
    ['that loads only the first script', '/pets', /\/(?!index-)[\w-]+\.js$/, undefined],
  ])('%s says after a while which browsers and addresses work', async (_, path, files, code) => {
    await page.route(files, (route) =>
      code === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: code }),
    );
    await page.goto(store.url(path));
    await loading().waitFor();
    expect(await notice().isVisible()).toBe(false);
    // Instead of the wait.
    await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
    await notice().waitFor();
    await page.getByText('Chrome and Edge 111, Firefox 115, Safari 16.4').waitFor();
    await page.getByText('a host without a path').waitFor();
    expect(await loading().isVisible()).toBe(false);
    // The browser logs why the code did not start.
    errors.splice(0);
    failures.splice(0);
  });

  it('because JavaScript is off, says that', async () => {
    const { page: other } = await openPage(store.browser, { javaScriptEnabled: false });
    await other.goto(store.url('/pets'));
    // Locators do not find the text of this element.
    const text = other.locator('noscript p');
    await text.waitFor();
    expect(await text.innerText()).toMatch(/^Turn on JavaScript to use Petstore\./);
    for (const hidden of ['Loading…', 'Petstore has not started.'])
      expect([hidden, await other.getByText(hidden).isVisible()]).toEqual([hidden, false]);
    await other.context().close();
    // The browser does not finish the preloads.
    failures.splice(0);
  });

  it('is not assumed while the code loads slowly', async () => {
    const letGo = await holdRequests(page, '**/assets/app-*.js');
    await page.goto(store.url('/pets'), { waitUntil: 'commit' });
    await loading().waitFor();
    expect(await notice().isVisible()).toBe(false);
    letGo();
    await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
    expect(await notice().count()).toBe(0);
  });
});

it('a key that was pasted with "Bearer " signs in, also in a link and on the page of the API', async () => {
  for (const prefix of ['Bearer ', 'BEARER \t']) {
    await page.getByRole('textbox', { name: 'Key' }).fill(`${prefix}${key} `);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await link('Rex').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.key'))).toBe(key);
    await signOut(page);
  }
  await page.goto(store.url(`/pets#key=Bearer%20${key}`));
  await link('Rex').waitFor();
  await page.goto(store.url('/docs'));
  await authorize(page, `Bearer ${key}`);
  const stored = await page.evaluate(() => sessionStorage.getItem('petstore.docs.authorized'));
  expect([stored?.includes(`"value":"${key}"`), stored?.includes('Bearer ')]).toEqual([true, false]);
});

it('Ctrl-K opens the search with Caps Lock, with other letters and with an input method, by the place of the key', async () => {
  await page.goto(store.url('/pets'));
  await link('Rex').waitFor();
  const search = page.getByRole('combobox', { name: 'Find an animal' });
  const press = async (event: Record<string, string | boolean>) => {
    await page.getByRole('heading', { level: 1 }).focus();
    const init = { bubbles: true, ...event };
    await page.evaluate((values) => document.body.dispatchEvent(new KeyboardEvent('keydown', values)), init);
    return isFocused(search);
  };
  const code = 'KeyK';
  for (const event of [
    { key: 'k', code, ctrlKey: true },
    { key: 'K', code, ctrlKey: true },
    { key: 'л', code, ctrlKey: true },
    { key: 'Κ', code, ctrlKey: true },
    { key: 'Process', code, metaKey: true },
    { key: 'k', code: 'KeyV', ctrlKey: true },
  ]) {
    // Until the page handles keys, and has moved the focus.
    await expect.poll(() => press(event), { message: JSON.stringify(event) }).toBe(true);
  }
  // Of a Dvorak keyboard, and without Ctrl.
  for (const event of [
    { key: 't', code, ctrlKey: true },
    { key: 'л', code },
  ]) {
    await press(event);
    await page.waitForTimeout(300);
    expect(await isFocused(search), JSON.stringify(event)).toBe(false);
  }
});

it('an error page says that animals were added before', async () => {
  await link('Add animal').click();
  const form = await AddForm.on(page);
  await form.enter({ name: 'Bella', category: '7' });
  await form.submit();
  await form.added.waitFor();
  // The next render of the page fails: the errors of the empty form.
  await page.evaluate(() => {
    Object.assign(Array.prototype, { toSorted: undefined });
    document.querySelector<HTMLFormElement>('main form')?.requestSubmit();
  });
  await page.getByRole('heading', { name: "This page can't be shown" }).waitFor();
  await page.getByText(/Before this error: Added .*Bella.* as number \d+\. Do not add it again\./).waitFor();
  errors.splice(0);
});

it.each([
  ['lacks channels between tabs', 'delete globalThis.BroadcastChannel'],
  ['blocks them', 'globalThis.BroadcastChannel = class { constructor() { throw new Error("blocked"); } }'],
])('a browser that %s works', async (_, script) => {
  ({ page } = await openPage(store.browser));
  await page.addInitScript(script);
  await page.goto(store.url(`/pets#key=${key}`));
  await link('Rex').waitFor();
  await link('Import').click();
  await importStep(page, 'Choose your animals').waitFor();
  await page.goto(store.url(`/docs#key=${key}`));
  await page.getByRole('button', { name: 'Authorize' }).waitFor();
});
