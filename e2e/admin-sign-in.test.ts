import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { focused } from './support/keyboard.js';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize } from './support/swagger-ui.js';

let store: Store;
let otherKey: string;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  otherKey = await store.newKey();
  await store.add({ name: 'Rex', categoryId: 7n });
});
afterEach(() => page.context().close());

const heading = (name: string, tab = page) => tab.getByRole('heading', { level: 1, name }).waitFor();
const asksForKey = (tab = page) => heading('Sign in to Petstore', tab);
const exposedNotice = () => page.getByRole('region', { name: 'Sign-in link' });
const storedKeys = () =>
  page.evaluate(() => [sessionStorage.getItem('petstore.key'), localStorage.getItem('petstore.key')]);

async function open(path: string): Promise<void> {
  ({ page } = await openPage(store.browser));
  await page.goto(store.url(path));
}

/** Opens another tab of the same browser. */
async function openTab(path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(store.url(path));
  return tab;
}

async function signIn(value: string, isKept = false): Promise<void> {
  await page.getByRole('textbox', { name: 'Key' }).fill(value);
  if (isKept) await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('the form says of a key that has expired that it may be no longer valid', async () => {
  const expired = await store.newKey();
  await store.sql('UPDATE api_key SET expires_at = now() WHERE id = (SELECT max(id) FROM api_key)');
  const headers = { authorization: `Bearer ${expired}` };
  await expect.poll(async () => (await store.service.fetch('/v1/pets', { headers })).status).toBe(401);
  await open('/pets');
  await signIn(expired);
  const words = "This key isn't valid, or no longer valid. Check it, or ask your manager for a new one.";
  await page.getByRole('alert').getByText(words).waitFor();
  expect(failures.splice(0)).toEqual(['401: GET /v1/pets']);
});

it('the form explains what is wrong with a key, accepts the next one for this tab, and shows the requested page', async () => {
  await open('/pets/new');
  await page.getByText('On a shared computer, sign out when you finish.').waitFor();
  await signIn(' ');
  await page.getByText('Enter your key').waitFor();
  await signIn('psk_with a space');
  await page.getByText('Check the key: it contains a space').waitFor();
  await signIn('psk_wrong');
  const alert = page.getByRole('alert');
  await alert.getByText('Check it, or ask your manager for a new one.').waitFor();
  await alert.getByText('Details').click();
  await alert.getByText('This API key is unknown, expired or revoked.').waitFor();
  await alert.getByText(/^Request id [\w-]+$/).waitFor();
  await signIn(` bearer  Bearer \t${key} `);
  await heading('Add animal');
  expect(await storedKeys()).toEqual([key, null]);
  await page.reload();
  await heading('Add animal');
  await asksForKey(await openTab('/pets'));
  expect(failures.splice(0)).toEqual(['401: GET /v1/pets']);
});

it('a person who stays signed in on the device is signed in in every tab, until one of them signs out', async () => {
  await open('/pets');
  await signIn(key, true);
  await heading('Animals');
  expect(await storedKeys()).toEqual([null, key]);
  const form = await openTab('/pets/new');
  await form.getByRole('textbox', { name: 'Name' }).fill('Half a name');
  const withLink = await page.context().newPage();
  withLink.on('dialog', (question) => void question.accept());
  await withLink.goto(store.url(`/pets#key=${otherKey}`));
  await heading('Animals', withLink);
  const docs = await openTab('/docs');
  const authorized = (await authorize(docs, key)).getByRole('button', { name: 'Remove authorization' });
  await authorized.waitFor();

  await signOut(page);
  for (const tab of [page, form, withLink]) await asksForKey(tab);
  await authorized.waitFor({ state: 'detached' });
  for (const tab of [page, form, withLink, docs]) {
    const kept = await tab.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    for (const secret of [key, otherKey, 'Half a name']) expect(kept).not.toContain(secret);
  }
  await form.reload();
  await asksForKey(form);
});

describe('a link with a key', () => {
  it('signs in at any address for this tab, removes the key from it, and the menu can keep the key on the device', async () => {
    await open('/pets');
    for (const [link, shown] of [
      [`/#key=${otherKey}`, '/pets'],
      [`/pets?status=sold#key=Bearer%20${otherKey}&utm_source=mail`, '/pets?status=sold'],
      [`/pets/1#key=${otherKey}.`, '/pets/1'],
    ] as const) {
      await page.goto(store.url(link));
      await page.getByRole('button', { name: 'Menu' }).waitFor();
      expect([page.url(), ...(await storedKeys())]).toEqual([store.url(shown), otherKey, null]);
      await signOut(page);
      await asksForKey();
    }
    // On a page that is already open.
    await page.evaluate((value) => (location.hash = `key=${value}`), key);
    await heading('Rex');
    expect(await exposedNotice().count()).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).click();
    const isKept = page.getByRole('checkbox', { name: 'Stay signed in on this device' });
    await isKept.check();
    expect(await storedKeys()).toEqual([null, key]);
    await isKept.uncheck();
    expect(await storedKeys()).toEqual([key, null]);
  });

  it('that a mail filter turned into a path signs in, also a signed-in tab, and advises a new key once', async () => {
    await open('/pets');
    for (const [path, shown] of [
      [`/pets/1%23key%3D${otherKey}).`, '/pets/1'],
      [`/pets?status=sold%23KEY=${otherKey},`, '/pets?status=sold'],
      [`/%2523key%253DBearer%2520${otherKey}`, '/pets'],
    ] as const) {
      await page.goto(store.url(path));
      await exposedNotice().getByText('Ask your manager for a new one.').waitFor();
      expect([page.url(), ...(await storedKeys())]).toEqual([store.url(shown), otherKey, null]);
    }
    expect(await violationsInAllLooks(page)).toEqual([]);
    await exposedNotice().getByRole('button', { name: 'OK' }).click();
    await exposedNotice().waitFor({ state: 'detached' });
    await focused(page, 'Animals');
    await page.reload();
    await heading('Animals');
    expect(await exposedNotice().count()).toBe(0);
  });

  it('asks before it replaces the key of a signed-in tab', async () => {
    await open(`/pets#key=${key}`);
    await heading('Animals');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    const follow = () => page.evaluate((value) => void (location.hash = `key=${value}`), otherKey);
    await follow();
    await expect.poll(() => questions).toEqual([expect.stringContaining('another key')]);
    expect([page.url(), (await storedKeys())[0]]).toEqual([store.url('/pets'), key]);
    await follow();
    await expect.poll(async () => (await storedKeys())[0]).toBe(otherKey);
    await follow();
    await expect.poll(() => page.url()).toBe(store.url('/pets'));
    expect(questions).toHaveLength(2);
  });
});
