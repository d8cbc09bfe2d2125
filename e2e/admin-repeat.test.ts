import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let otherKey: string;
/** The idempotency keys of all that was posted. */
let sent: string[];
let before: number;

beforeAll(async () => {
  store = await Store.open();
  otherKey = await store.newKey();
  await store.add({ name: 'Goldfish', categoryId: 7n });
});
beforeEach(async () => {
  ({ page } = await store.visit('/pets'));
  sent = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
  before = await store.count();
  await page.getByRole('link', { name: 'Goldfish' }).first().waitFor();
});
afterEach(() => page.close());
afterAll(() => store.close());

const api = '**/v1/**';
const isPost = (route: Route) => route.request().method() === 'POST';
const addedCount = async () => (await store.count()) - before;
const submit = () => page.getByRole('button', { name: 'Add animal' }).click();
const added = () => page.getByRole('heading', { name: /Added as number \d+/ });
const question = () => page.getByRole('alert').filter({ hasText: 'This animal may already have been added' });

/** The same as one that is there: a store has many goldfish. */
async function fillForm(): Promise<void> {
  await page.getByRole('link', { name: 'Add animal' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Goldfish');
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

/** Submits, and hears nothing: the service either never got it, or has added it. */
async function submitInVain(reaches: 'nobody' | 'the service'): Promise<void> {
  await page.route(api, async (route) => {
    if (!isPost(route)) return route.continue();
    if (reaches === 'the service') await route.fetch({ url: `${store.service.url}/v1/pets` });
    await route.abort('connectionreset');
  });
  await submit();
  await page.getByText("We couldn't confirm that the animal was added").waitFor();
  await page.unroute(api);
}

/** Submits again; the key is refused meanwhile, and somebody else signs in. */
async function submitAsAnother(): Promise<void> {
  const body = '{"code":"invalid_api_key","message":"This API key is not valid.","status":401}';
  await page.route(api, (route) => route.fulfill({ status: 401, contentType: 'application/json', body }));
  await submit();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await page.unroute(api);
  await dialog.getByRole('textbox', { name: 'API key' }).fill(otherKey);
  await dialog.getByRole('button', { name: 'Sign in and continue' }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('an animal whose answer was lost, added again with another key,', () => {
  it('is not added twice: the form asks whether it is the one that came in', async () => {
    await fillForm();
    await submitInVain('the service');
    const id = (await store.newest()).id;
    await submitAsAnother();
    await question().waitFor();
    expect(await question().innerText()).toContain(`number ${id}`);
    await page.getByRole('button', { name: `Yes, it's number ${id}` }).click();
    await page.getByRole('heading', { name: `Added as number ${id}` }).waitFor();
    expect(await addedCount()).toBe(1);
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.attempt'))).toBeNull();
  });

  it('is one more when the person says so', async () => {
    await fillForm();
    await submitInVain('the service');
    await submitAsAnother();
    await page.getByRole('button', { name: 'No, add another one' }).click();
    await added().waitFor();
    expect([await addedCount(), new Set(sent).size]).toEqual([2, 2]);
  });

  it('is none when the person says so of one that the form refuses', async () => {
    await fillForm();
    await submitInVain('the service');
    await submitAsAnother();
    await question().waitFor();
    const name = page.getByRole('textbox', { name: 'Name' });
    const category = page.getByRole('textbox', { name: 'Category number' });
    const addOneMore = page.getByRole('button', { name: 'No, add another one' });
    const count = sent.length;
    await category.fill('abc');
    await addOneMore.click();
    await page.getByText('There is 1 problem').waitFor();
    await name.fill('');
    await addOneMore.click();
    await page.getByText('There are 2 problems').waitFor();
    expect(sent).toHaveLength(count);
    await name.fill('Goldfish');
    await category.fill('8');
    await addOneMore.click();
    await added().waitFor();
    expect(await addedCount()).toBe(2);
  });

  it('is asked about after a reload too, and the key is kept nowhere', async () => {
    await fillForm();
    await submitInVain('the service');
    await page.reload();
    await page.getByText('Your unfinished animal is still here.').waitFor();
    await submitAsAnother();
    await question().waitFor();
    const kept = await page.evaluate(() => sessionStorage.getItem('petstore.attempt') ?? '');
    expect(kept).toContain('Goldfish');
    expect(kept).not.toContain(otherKey);
    expect(await addedCount()).toBe(1);
  });

  it('stays unknown when the other key may not look', async () => {
    await fillForm();
    await submitInVain('the service');
    const body = '{"code":"insufficient_scope","message":"This key cannot read.","status":403}';
    await page.route('**/v1/pets?*limit=100*', (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body }),
    );
    await submitAsAnother();
    const alert = page.getByRole('alert').filter({ hasText: "You don't have permission" });
    await alert.waitFor();
    expect(await alert.innerText()).toContain("We couldn't confirm that the animal was added");
    expect(await addedCount()).toBe(1);
  });

  it('is added without a question when it never came in, though one like it was there before', async () => {
    await fillForm();
    await submitInVain('nobody');
    await submitAsAnother();
    await added().waitFor();
    expect([await addedCount(), await question().count()]).toEqual([1, 0]);
  });
});
