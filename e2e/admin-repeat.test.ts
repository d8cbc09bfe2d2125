import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api, failures, rejectKey } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let pageKey: string;
let otherKey: string;
/** The idempotency keys of all POST requests. */
let sent: string[];
/** The name of an animal that the store has, and of the animal that the test adds. */
let name: string;
let before: number;

/** All tests use one page, which each test loads again. */
beforeAll(async () => {
  store = await Store.open();
  pageKey = key;
  otherKey = await store.newKey();
  ({ page } = await store.visit('/pets'));
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
beforeEach(async () => {
  await page.unrouteAll();
  name = `Goldfish ${await store.count()}`;
  await store.add({ name, categoryId: 7n });
  // Not a page of the admin, which would go on with the animals of a failed test.
  await page.goto(store.url('/healthz'));
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(store.url(`/pets#key=${pageKey}`));
  await page.getByRole('link', { name, exact: true }).waitFor();
  sent = [];
  before = await store.count();
});

const isPost = (route: Route) => route.request().method() === 'POST';
const addedCount = async () => (await store.count()) - before;
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
const submit = () => page.getByRole('button', { name: 'Add animal' }).click();
const added = () => page.getByRole('link', { name: /^Added .*number \d+$/ });
const question = () => page.getByRole('alert').filter({ hasText: 'An animal with this name is already in the store' });

/** By default, the same values as an existing animal: a store has many goldfish. */
async function fillForm(): Promise<void> {
  await page.getByRole('link', { name: 'Add animal' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

/** Submits and loses the response. The service either never got the request, or added the animal. */
async function submitAndLoseResponse(reaches: 'nowhere' | 'the service'): Promise<void> {
  await page.route(api, async (route) => {
    if (!isPost(route)) return route.continue();
    if (reaches === 'the service') await route.fetch({ url: `${store.service.url}/v1/pets` });
    await route.abort('connectionreset');
  });
  await submit();
  if (reaches === 'the service') await page.getByRole('button', { name: 'Add another one', exact: true }).click();
  await page.getByText("We couldn't confirm that the animal was added").waitFor();
  await page.unroute(api);
}

/** Tries again. The service rejects the key, and another person signs in. */
async function retryWithOtherKey(retry: () => Promise<unknown> = () => tryAgain().click()): Promise<void> {
  await rejectKey(page);
  await retry();
  // In a dialog, or on its own page if the key is rejected before a page has begun.
  const field = page.getByRole('textbox', { name: 'Key' });
  await field.waitFor();
  await page.unroute(api);
  await field.fill(otherKey);
  await page.getByRole('button', { name: /^Sign in/ }).click();
  await field.waitFor({ state: 'detached' });
  [pageKey, otherKey] = [otherKey, pageKey];
}

describe('a retry after a lost response, with another API key,', () => {
  it('asks whether the new animal in the list is the same one, also after a reload, and stores no API key', async () => {
    await fillForm();
    await submitAndLoseResponse('the service');
    const id = (await store.newest()).id;
    await retryWithOtherKey(() => page.reload());
    await question().waitFor();
    expect(await question().innerText()).toContain(`number ${id}`);
    const kept = await page.evaluate(() => sessionStorage.getItem('petstore.queue') ?? '');
    expect(kept).toContain(name);
    for (const secret of [pageKey, otherKey]) expect(kept).not.toContain(secret);
    expect(await addedCount()).toBe(1);
    expect(await question().innerText()).toContain('The connection was lost during the last attempt');
    await page.getByRole('button', { name: "Don't add" }).click();
    await question().waitFor({ state: 'detached' });
    expect(await addedCount()).toBe(1);
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.queue'))).toBe('[]');
  });

  it('asks about the animal of a litter whose answer was lost, and adds the others', async () => {
    name = `Litter ${before}`;
    await fillForm();
    await page.getByRole('textbox', { name: 'How many?' }).fill('3');
    await page.route(api, async (route) => {
      if (!isPost(route) || sent.length < 2) return route.continue();
      await route.fetch({ url: `${store.service.url}/v1/pets` });
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Add 3 animals' }).click();
    await page.getByText('1 of 3 animals was added').waitFor();
    await page.unroute(api);
    await retryWithOtherKey(() => page.getByRole('button', { name: 'Add the other 2' }).click());
    await page.getByRole('alert').getByText('1 of these 2 animals is already in the store').waitFor();
    await page.getByRole('button', { name: 'Add only the other one' }).click();
    await added().waitFor();
    expect(await store.names(7n)).toEqual(expect.arrayContaining([1, 2, 3].map((number) => `${name} ${number}`)));
    expect(await addedCount()).toBe(3);
  });

  it('adds the animal without a question if the first POST never arrived', async () => {
    name = `Koi ${before}`;
    await fillForm();
    await submitAndLoseResponse('nowhere');
    await retryWithOtherKey();
    await added().waitFor();
    expect([await addedCount(), await question().count()]).toEqual([1, 0]);
  });
});
