import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
/** The idempotency keys of all that was posted. */
let sent: string[];
let before: number;

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Goldfish', categoryId: 7n });
});
beforeEach(async () => {
  ({ page } = await store.visit('/pets'));
  sent = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
  before = await store.count();
  await link('Goldfish').first().waitFor();
});
afterEach(() => page.close());
afterAll(() => store.close());

const api = '**/v1/**';
const isPost = (route: Route) => route.request().method() === 'POST';
const addedCount = async () => (await store.count()) - before;
const link = (name: string) => page.getByRole('link', { name });
const draft = () => page.evaluate(() => sessionStorage.getItem('petstore.draft'));
const submit = () => page.getByRole('button', { name: 'Add the animal' }).click();
const added = () => page.getByRole('heading', { name: /Added as number \d+/ });

async function openForm(): Promise<void> {
  await link('Add an animal').click();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
}

async function fillForm(name = 'Goldfish'): Promise<void> {
  await openForm();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

describe('a form that is left while its animal is on the way', () => {
  /** Holds the answer until the returned function is called. */
  async function submitAndLeave(): Promise<() => void> {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(api, async (route) => {
      if (isPost(route)) await held;
      await route.fallback();
    });
    await submit();
    await page.getByRole('button', { name: 'Adding…' }).waitFor();
    await link('Animals').click();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    return letGo;
  }

  it('waits for the outcome when it is there again, and does not send it twice', async () => {
    await fillForm();
    const letGo = await submitAndLeave();
    await openForm();
    const button = page.getByRole('button', { name: 'Adding…' });
    await button.click({ force: true });
    letGo();
    await added().waitFor();
    expect([await addedCount(), sent.length]).toEqual([1, 1]);
  });

  it('is empty when the animal was added meanwhile', async () => {
    await fillForm();
    const letGo = await submitAndLeave();
    letGo();
    await expect.poll(addedCount).toBe(1);
    await expect.poll(draft).toBeNull();
    await openForm();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
  });
  it('shows it in the list that was gone to', async () => {
    await fillForm('Afterthought');
    const letGo = await submitAndLeave();
    await link('Goldfish').first().waitFor();
    letGo();
    await link('Afterthought').waitFor();
    expect(await addedCount()).toBe(1);
  });

  it('shows it in a list that was read before it came in, and answered after', async () => {
    await fillForm('Overtaken');
    // Without a list that was read earlier.
    await page.reload();
    const isList = (route: Route) => route.request().url().includes('order=desc');
    const late: (() => Promise<void>)[] = [];
    await page.route(api, async (route) => {
      if (!isList(route) || late.length > 0) return route.fallback();
      const { pathname, search } = new URL(route.request().url());
      const response = await route.fetch({ url: `${store.service.url}${pathname}${search}` });
      late.push(() => route.fulfill({ response }).catch(() => undefined));
    });
    const letGo = await submitAndLeave();
    await expect.poll(() => late.length).toBe(1);
    letGo();
    await expect.poll(draft).toBeNull();
    await late[0]?.();
    await link('Overtaken').waitFor();
  });

  it('adds it once when the page was reloaded, too', async () => {
    await fillForm();
    await page.route(api, async (route) => {
      if (!isPost(route)) return route.continue();
      await route.fetch({ url: `${store.service.url}/v1/pets` });
      // Never answered: the page is gone by then.
    });
    await submit();
    await expect.poll(addedCount).toBe(1);
    await page.reload();
    await page.unroute(api);
    await submit();
    await added().waitFor();
    expect([await addedCount(), new Set(sent).size]).toEqual([1, 1]);
  });
});
