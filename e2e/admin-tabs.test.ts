import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { failures, openPage, rejectKey, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize } from './support/swagger-ui.js';

let store: Store;
let otherKey: string;
let page: Page;
let other: Page;
let context: BrowserContext;

/** Two tabs with the shared key, which all tests use. The other one has an unfinished form. */
beforeAll(async () => {
  store = await Store.open();
  otherKey = await store.newKey();
  await store.add({ name: 'Rex', categoryId: 7n });
  ({ page } = await openPage(store.browser));
  context = page.context();
  await page.goto(store.url('/pets'));
  await signIn(page, key, true);
  await heading(page, 'Animals');
  other = await openTab('/pets/new');
  await fillForm();
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));

const heading = (tab: Page, name: string) => tab.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (tab: Page) => tab.getByRole('dialog', { name: 'Sign in again' });
const refresh = (tab: Page) => tab.getByRole('button', { name: 'Refresh' }).click();
const nameField = () => other.getByRole('textbox', { name: 'Name' });

async function fillForm(): Promise<void> {
  await nameField().fill('Half a name');
  await other.getByRole('textbox', { name: 'Category number' }).fill('7');
}

/** Rejects the key in the open tabs. */
const reject = (rejected: string) =>
  rejectKey(context, (route) => route.request().headers()['authorization'] === `Bearer ${rejected}`);

async function signIn(tab: Page, value: string, isKept: boolean): Promise<void> {
  await tab.getByRole('textbox', { name: 'Key' }).fill(value);
  if (isKept) await tab.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await tab.getByRole('button', { name: /^Sign in/ }).click();
}

async function openTab(path: string): Promise<Page> {
  const tab = await context.newPage();
  // A link with a key asks before it replaces the shared key.
  tab.on('dialog', (question) => void question.accept());
  // A wait that starts while the page still loads may miss the heading.
  await tab.goto(store.url(path), { waitUntil: 'networkidle' });
  return tab;
}

it('signing out in one tab signs out all tabs, those with another key too, and the API documentation, until the next person signs in', async () => {
  const third = await openTab(`/pets#key=${otherKey}`);
  await third.getByRole('link', { name: 'Rex' }).waitFor();
  const docs = await openTab('/docs');
  const authorized = (await authorize(docs, key)).getByRole('button', { name: 'Remove authorization' });
  await authorized.waitFor();
  await signOut(page);
  await heading(third, 'Sign in to Petstore');
  await authorized.waitFor({ state: 'detached' });
  expect(await docs.evaluate(() => Object.values(sessionStorage).join())).not.toContain(key);
  await docs.close();
  await heading(other, 'Sign in to Petstore');
  const kept = () => other.evaluate(() => [sessionStorage.length, localStorage.getItem('petstore.key')]);
  expect(await kept()).toEqual([0, null]);
  await other.reload();
  await heading(other, 'Sign in to Petstore');

  // The open tabs share a key that is not kept on the device with each other, and with new ones.
  await signIn(page, key, false);
  await heading(other, 'Add animal');
  const fourth = await openTab('/pets');
  await fourth.getByRole('link', { name: 'Rex' }).waitFor();
  expect(await fourth.evaluate(() => localStorage.getItem('petstore.key'))).toBeNull();
  for (const tab of [third, fourth]) await tab.close();
  await signOut(page);
});

it('a shared key that is rejected in one tab is not used by reloaded or new tabs, does not affect others before their next request, and one sign-in is enough for all', async () => {
  await signIn(page, key, true);
  await heading(other, 'Add animal');
  await fillForm();
  const third = await openTab('/pets');
  await heading(third, 'Animals');
  await reject(key);
  for (const tab of [page, third]) {
    await refresh(tab);
    await dialog(tab).waitFor();
  }
  await third.reload({ waitUntil: 'networkidle' });
  for (const tab of [third, await openTab('/pets')]) await heading(tab, 'Sign in to Petstore');
  expect(await nameField().inputValue()).toBe('Half a name');
  // Not a click: the form refreshes, so that the question for a key may already cover it.
  await other.getByRole('button', { name: 'Add animal' }).dispatchEvent('click');
  await dialog(other).waitFor();
  await signIn(other, otherKey, false);
  await other.getByRole('link', { name: /^Added .*number \d+$/ }).waitFor();
  await dialog(page).waitFor({ state: 'detached' });
});
