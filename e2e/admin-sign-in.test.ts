import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
});
afterEach(() => page.close());
afterAll(() => store.close());

async function open(path: string): Promise<void> {
  ({ page, failures } = await openPage(store.browser));
  await page.goto(store.url(path));
}

async function signIn(value: string, isKept = false): Promise<void> {
  await page.getByRole('textbox', { name: 'API key' }).fill(value);
  if (isKept) await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const storedKeys = () =>
  page.evaluate(() => [sessionStorage.getItem('petstore.key'), localStorage.getItem('petstore.key')]);
const focusedTag = () => page.evaluate(() => document.activeElement?.tagName);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

describe('signing in', () => {
  it('keeps the key until all tabs are closed, and shows the requested page', async () => {
    await open('/pets/new');
    await signIn(`  ${key} `);
    await heading('Add animal').waitFor();
    expect(await storedKeys()).toEqual([key, null]);
    await page.reload();
    await heading('Add animal').waitFor();
    expect(failures).toEqual([]);
  });

  it('keeps the key on the device if chosen', async () => {
    await open('/pets');
    await signIn(key, true);
    await heading('Animals').waitFor();
    expect(await storedKeys()).toEqual([null, key]);
    const other = await page.context().newPage();
    await other.goto(store.url('/pets'));
    await other.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    await signOut(page);
    await other.getByRole('heading', { level: 1, name: 'Sign in to Petstore' }).waitFor();
    expect(await storedKeys()).toEqual([null, null]);
    expect(failures).toEqual([]);
  });

  it('explains why a text cannot be a key', async () => {
    await open('/pets');
    await signIn('psk_with a space');
    await page.getByText('Check the key: it contains a space').waitFor();
    await signIn(key);
    await heading('Animals').waitFor();
    expect(failures).toEqual([]);
  });

  it('explains that a key is invalid, with details, and accepts the next one', async () => {
    await open('/pets');
    await signIn('psk_wrong');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('Check it, or ask your manager for a new one.');
    await alert.getByText('Details').click();
    const response = await store.service.fetch('/v1/pets', { headers: { authorization: 'Bearer psk_wrong' } });
    const { message } = (await response.json()) as { message: string };
    expect(await alert.innerText()).toContain(message);
    expect(await alert.innerText()).toMatch(/Request id [\w-]+/);
    await signIn(key);
    await heading('Animals').waitFor();
    expect(failures).toEqual(['401: GET /v1/pets']);
  });

  it('asks for a missing key', async () => {
    await open('/pets');
    await signIn(' ');
    await page.getByText('Enter your key').waitFor();
    expect(failures).toEqual([]);
  });
});

describe('a link with a key', () => {
  it.each(['/', '/pets?status=sold', '/pets/1'])(
    'signs in at %s and removes the key from the address',
    async (path) => {
      await open(`${path}#key=${key}`);
      await page.getByRole('button', { name: 'Menu' }).waitFor();
      expect(page.url()).toBe(store.url(path === '/' ? '/pets' : path));
      expect(await storedKeys()).toEqual([key, null]);
      expect(failures).toEqual([]);
    },
  );

  it.each([
    ['encoded', 'a%2Bb%25c%26d%3De'],
    ['not encoded', 'a+b%c&d=e'],
  ])('accepts keys of any form, %s', async (_form, written) => {
    ({ page } = await openPage(store.browser));
    const sent = page.waitForRequest('**/v1/**');
    await page.goto(store.url(`/pets#key=${written}`));
    expect((await sent).headers()['authorization']).toBe('Bearer a+b%c&d=e');
    await heading('Sign in to Petstore').waitFor();
    expect(page.url()).toBe(store.url('/pets'));
  });

  it('explains that its key is invalid, on the sign-in page, because no work has begun', async () => {
    await open('/pets#key=psk_wrong');
    await page.getByRole('alert').getByText('Check it, or ask your manager for a new one.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await signIn(key);
    await heading('Animals').waitFor();
  });

  it('offers to stay signed in on the device, or to close the offer', async () => {
    await open(`/pets#key=${key}`);
    const offer = () => page.getByRole('region', { name: 'Stay signed in' });
    await offer().getByRole('button', { name: 'Not now' }).click();
    await offer().waitFor({ state: 'detached' });
    expect([await storedKeys(), await focusedTag()]).toEqual([[key, null], 'H1']);
    await page.close();
    await open(`/pets#key=${key}`);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await offer().getByRole('button', { name: 'Stay signed in on this device' }).click();
    await offer().waitFor({ state: 'detached' });
    expect(await storedKeys()).toEqual([null, key]);
    await page.goto(store.url(`/pets/1#key=${key}`));
    await heading('Rex').waitFor();
    expect([await offer().count(), await storedKeys()]).toEqual([0, [null, key]]);
    expect(failures).toEqual([]);
  });

  it('can keep the person signed in on the device, by the menu', async () => {
    await open(`/pets#key=${key}`);
    await page.getByRole('button', { name: 'Menu' }).click();
    const stay = page.getByRole('menuitemcheckbox', { name: 'Stay signed in on this device' });
    await stay.click();
    expect(await storedKeys()).toEqual([null, key]);
    await stay.click();
    expect(await storedKeys()).toEqual([key, null]);
  });

  it('signs in on a page that is already open', async () => {
    await open('/pets');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.evaluate((value) => (location.hash = `key=${value}`), key);
    await heading('Animals').waitFor();
    expect(page.url()).toBe(store.url('/pets'));
  });

  it('is ignored if its key cannot be sent', async () => {
    await open('/pets#key=%20%00');
    await heading('Sign in to Petstore').waitFor();
    expect(page.url()).toBe(store.url('/pets'));
    expect(failures).toEqual([]);
  });
});

describe('signing out', () => {
  it('removes the key, the animals and the draft', async () => {
    await open(`/pets/new#key=${key}`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Half a name');
    await signOut(page);
    await heading('Sign in to Petstore').waitFor();
    expect(
      await page.evaluate(() => [sessionStorage.getItem('petstore.key'), sessionStorage.getItem('petstore.draft')]),
    ).toEqual([null, null]);
    await page.reload();
    await signIn(key);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
    expect(failures).toEqual([]);
  });
});
