import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signOut } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let context: BrowserContext;
/** The requests of lists of 100 animals. */
let walked: string[];

beforeAll(async () => {
  store = await Store.open();
});
beforeEach(async () => {
  await store.sql('TRUNCATE pet, idempotency_record RESTART IDENTITY');
  await store.sql(`INSERT INTO pet (name, category_id) SELECT 'Animal ' || n, 7 FROM generate_series(1, 2500) n`);
  ({ page } = await store.visit('/pets'));
  context = page.context();
  walked = [];
  context.on('request', (request) => request.url().includes('limit=100') && walked.push(request.url()));
});
afterAll(() => store.close());

const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const searched = (count: string) => page.getByText(new RegExp(`^Searched ${count} animals, updated`)).waitFor();
const stay = () => page.getByRole('button', { name: 'Stay signed in on this device' }).click();
const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

/** A new visit: nothing of the last one is in memory. */
async function visitAgain(): Promise<void> {
  await page.goto('about:blank');
  walked = [];
  await page.goto(store.url('/pets'));
}

/** Reads the whole store, on a device where the person stays signed in. */
async function readAll(): Promise<void> {
  await stay();
  await field().fill('Animal');
  await searched('2,500');
  expect(walked.length).toBeGreaterThanOrEqual(25);
  expect(await databases()).toContain('petstore-animals');
}

describe('the animals that a device keeps', () => {
  it('need few requests at the next visit, which finds new animals too', async () => {
    await readAll();
    await store.add({ name: 'Newcomer', categoryId: 7n });
    await visitAgain();
    await field().fill('Newcomer');
    await page.getByRole('option', { name: 'Newcomer' }).waitFor();
    await searched('2,501');
    expect(walked.length).toBeLessThan(3);
  });

  it('are read again if the store is another one', async () => {
    await readAll();
    await store.sql("UPDATE pet SET name = 'Changed ' || id");
    await visitAgain();
    await field().fill('Changed 12');
    await page.getByRole('option', { name: 'Changed 12', exact: false }).first().waitFor();
    await searched('2,500');
    await field().fill('Animal');
    await page.getByRole('search').getByText('No animal found for “Animal”').waitFor();
  });

  it('are removed at sign-out', async () => {
    await readAll();
    await signOut(page);
    await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
    await expect.poll(databases).not.toContain('petstore-animals');
  });

  it('are removed when the service rejects the key', async () => {
    await readAll();
    const body = '{"code":"invalid_api_key","message":"This API key is not valid.","status":401}';
    await context.route('**/v1/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await expect.poll(databases).not.toContain('petstore-animals');
  });
});

describe('a person who does not stay signed in', () => {
  it('leaves no animals on the device', async () => {
    await field().fill('Animal');
    await searched('2,500');
    expect(await databases()).not.toContain('petstore-animals');
  });
});
