import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
});
afterEach(() => page.close());

async function open(path: string): Promise<void> {
  ({ page } = await openPage(store.browser));
  await page.goto(store.url(path));
}

async function signIn(value: string, isKept = false): Promise<void> {
  await page.getByRole('textbox', { name: 'Key' }).fill(value);
  if (isKept) await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const storedKeys = () =>
  page.evaluate(() => [sessionStorage.getItem('petstore.key'), localStorage.getItem('petstore.key')]);
const focusedTag = () => page.evaluate(() => document.activeElement?.tagName);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

it('signing in says how long it lasts, explains what is wrong with a key, accepts the next one, and shows the requested page', async () => {
  await open('/pets/new');
  await page.getByText('On a shared computer, sign out when you finish.').waitFor();
  await signIn(' ');
  await page.getByText('Enter your key').waitFor();
  await signIn('psk_with a space');
  await page.getByText('Check the key: it contains a space').waitFor();

  await signIn('psk_wrong');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toContain('Check it, or ask your manager for a new one.');
  await alert.getByText('Details').click();
  const response = await store.service.fetch('/v1/pets', { headers: { authorization: 'Bearer psk_wrong' } });
  const { message } = (await response.json()) as { message: string };
  expect(await alert.innerText()).toContain(message);
  expect(await alert.innerText()).toMatch(/Request id [\w-]+/);

  await signIn(` bearer  Bearer ${key} `);
  await heading('Add animal').waitFor();
  await expect.poll(storedKeys).toEqual([key, null]);
  await page.reload();
  await heading('Add animal').waitFor();
  expect(failures.splice(0)).toEqual(['401: GET /v1/pets']);
});

describe('a link with a key', () => {
  it('signs in at any address, removes the key from it, and the menu can keep the person signed in on the device', async () => {
    await open(`/#key=${key}`);
    for (const [path, shown] of [
      ['/', '/pets'],
      ['/pets?status=sold', '/pets?status=sold'],
      ['/pets/1', '/pets/1'],
    ] as const) {
      if (path !== '/') {
        await signOut(page);
        await heading('Sign in to Petstore').waitFor();
        await page.goto(store.url(`${path}#key=${key}`));
      }
      await page.getByRole('button', { name: 'Menu' }).waitFor();
      expect([page.url(), ...(await storedKeys())]).toEqual([store.url(shown), key, null]);
    }

    await page.getByRole('button', { name: 'Menu' }).click();
    const stay = page.getByRole('menuitemcheckbox', { name: 'Stay signed in on this device' });
    await stay.click();
    await expect.poll(storedKeys).toEqual([null, key]);
    await stay.click();
    await expect.poll(storedKeys).toEqual([key, null]);
  });

  it('ignores what follows the key, also in a link that a mail filter turned into a path, and then advises a new key once', async () => {
    const newKey = await store.newKey();
    const notice = () => page.getByRole('region', { name: 'Sign-in link' });
    for (const [link, shown, usedKey] of [
      [`/pets?status=sold#key=${newKey}.`, '/pets?status=sold', newKey],
      [`/pets#key=${newKey}&utm_source=mail`, '/pets', newKey],
      [`/pets#key=${key}&utm_source=mail`, '/pets', key],
      [`/%23key=${newKey}`, '/pets', newKey],
      [`/pets/1%23key%3D${newKey}).`, '/pets/1', newKey],
      [`/pets?status=sold%23KEY=${newKey},`, '/pets?status=sold', newKey],
      [`/%2523key%253DBearer%2520${newKey}`, '/pets', newKey],
      [`/%23key=${key}?utm_source=mail`, '/pets', key],
      [`/%23key=${key}&utm_source=mail.example`, '/pets', key],
    ] as const) {
      await open(link);
      await page.getByRole('button', { name: 'Menu' }).waitFor();
      expect([link, page.url(), (await storedKeys())[0]]).toEqual([link, store.url(shown), usedKey]);
      const isPath = !link.includes('#');
      expect([link, await notice().count()]).toEqual([link, isPath ? 1 : 0]);
      if (isPath) expect(await page.getByRole('region', { name: 'Stay signed in' }).count()).toBe(0);
      await page.context().close();
    }
  });

  it('that a mail filter turned into a path, and that has the key of the signed-in tab, gives this advice too', async () => {
    await open(`/pets#key=${key}`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await page.goto(store.url(`/%23key=${key}`));
    const notice = page.getByRole('region', { name: 'Sign-in link' });
    await notice.getByText('Ask your manager for a new one.').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await notice.getByRole('button', { name: 'OK' }).click();
    expect([await notice.count(), await focusedTag()]).toEqual([0, 'H1']);
    await page.reload();
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  it('asks before it replaces the key of a signed-in tab', async () => {
    await open(`/pets#key=${key}`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    const otherKey = await store.newKey();
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (questions.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    const follow = (hash: string) => page.evaluate((text) => void (location.hash = text), hash);
    await follow(`key=${otherKey}`);
    await expect.poll(() => questions).toEqual([expect.stringContaining('another key')]);
    expect([page.url(), (await storedKeys())[0]]).toEqual([store.url('/pets'), key]);
    await follow(`key=${otherKey}`);
    await expect.poll(async () => (await storedKeys())[0]).toBe(otherKey);
    await follow(`key=${otherKey}`);
    expect(questions).toHaveLength(2);
  });

  it('signs in on a page that is already open, and offers to stay signed in on the device, or to close the offer', async () => {
    await open('/pets');
    const offer = () => page.getByRole('region', { name: 'Stay signed in' });
    const openLink = async () => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.evaluate((value) => (location.hash = `key=${value}`), key);
      await heading('Animals').waitFor();
      expect(page.url()).toBe(store.url('/pets'));
    };
    await openLink();
    await offer().getByRole('button', { name: 'Not now' }).click();
    await offer().waitFor({ state: 'detached' });
    expect([await storedKeys(), await focusedTag()]).toEqual([[key, null], 'H1']);
    await signOut(page);

    await openLink();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await offer().getByRole('button', { name: 'Stay signed in on this device' }).click();
    await offer().waitFor({ state: 'detached' });
    await expect.poll(storedKeys).toEqual([null, key]);
    await page.goto(store.url(`/pets/1#key=${key}`));
    await heading('Rex').waitFor();
    expect([await offer().count(), await storedKeys()]).toEqual([0, [null, key]]);
  });
});
