import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Mia', categoryId: 7n, status: 'sold' });
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<void> {
  ({ page, failures } = await store.visit(path));
}

const api = '**/v1/**';
const body = '{"code":"invalid_api_key","message":"This API key is not valid.","status":401}';
const rejectKey = () =>
  page.route(api, (route) => route.fulfill({ status: 401, contentType: 'application/json', body }));
const link = (name: string | RegExp) => page.getByRole('link', { name });
const submit = () => page.getByRole('button', { name: 'Add animal' }).click();

async function fillForm(name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

describe('a key that the service rejects', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Sign in again' });

  async function signInAgain(): Promise<void> {
    await page.unroute(api);
    await dialog().getByRole('textbox', { name: 'Key' }).fill(key);
    await dialog().getByRole('button', { name: 'Sign in and continue' }).click();
    await dialog().waitFor({ state: 'detached' });
  }

  it('opens sign-in over the form, which keeps its content and sends one animal', async () => {
    await visit('/pets/new');
    await fillForm('Interrupted');
    const before = await store.count();
    await rejectKey();
    await submit();
    await dialog().waitFor();
    expect(await dialog().innerText()).toContain('Your key is no longer valid.');
    await dialog().getByText('Details').click();
    expect(await dialog().innerText()).toContain('This API key is not valid.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog().isVisible()).toBe(true);
    await signInAgain();
    await page.getByRole('link', { name: /^Added Interrupted, .*number \d+$/ }).waitFor();
    expect((await store.count()) - before).toBe(1);
  });

  it('says that it has expired, also on the sign-in page', async () => {
    const keyInfo = '{"id":"1","name":"desk","scopes":["read"],"expiresAt":"2026-01-01T00:00:00.000Z"}';
    ({ page, failures } = await openPage(store.browser));
    await page.route('**/key.json', (route) => route.fulfill({ contentType: 'application/json', body: keyInfo }));
    await page.goto(store.url(`/pets#key=${key}`));
    await link('Mia').waitFor();
    await rejectKey();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await dialog().getByText('Your key has expired. Ask your manager for a new one.').waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This key has expired. Ask your manager for a new one.').waitFor();
  });

  it('is not sent again, and is gone after a reload, unlike the animal', async () => {
    await visit('/pets/new');
    await fillForm('Still here');
    await rejectKey();
    await submit();
    await dialog().waitFor();
    const sent = failures.length;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.waitForTimeout(300);
    expect(failures.length).toBe(sent);
    await page.reload();
    await page.unroute(api);
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: /^Added .*number \d+$/ }).waitFor();
    expect((await store.newest()).name).toBe('Still here');
  });

  it('opens sign-in over the list, which keeps its position, and can be dismissed by signing out', async () => {
    await visit('/pets?status=sold&limit=50');
    await link('Mia').waitFor();
    await rejectKey();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await dialog().waitFor();
    expect(await page.getByText('Mia').isVisible()).toBe(true);
    await signInAgain();
    await link('Mia').waitFor();
    expect(new URL(page.url()).search).toBe('?status=sold&limit=50');
    expect(
      await page.getByRole('button', { name: 'Refresh' }).evaluate((node) => node === document.activeElement),
    ).toBe(true);

    await rejectKey();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Sign out instead' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in to Petstore' }).waitFor();
  });
});
