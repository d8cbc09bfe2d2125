import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsAsShown } from './support/accessibility.js';
import { api, failures, holdRequests, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
/** The idempotency keys of all POST requests. */
let sent: string[];
let before: number;

/** All tests use one page, and start at the list, also after a test that failed. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Goldfish', categoryId: 7n });
  ({ page } = await store.visit('/pets'));
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
beforeEach(async () => {
  await page.unrouteAll();
  // Not a page of the admin, which would go on with the animals.
  await page.goto(store.url('/healthz'));
  await page.evaluate(() => ['petstore.draft', 'petstore.queue'].forEach((name) => sessionStorage.removeItem(name)));
  await page.goto(store.url('/pets'));
  await link('Goldfish').waitFor();
  sent = [];
  before = await store.count();
});

const isPost = (route: Route) => route.request().method() === 'POST';
const addedCount = async () => (await store.count()) - before;
const link = (name: string | RegExp) => page.getByRole('link', { name });
const draft = () => page.evaluate(() => sessionStorage.getItem('petstore.draft'));
const submit = () => page.getByRole('button', { name: 'Add animal' }).click();

/** Waits for an animal in the list. One that the list did not have at first waits until the person wants to see it. */
async function seeInList(name: string): Promise<void> {
  const news = page.getByRole('button', { name: '1 new animal' });
  await news.or(link(name)).first().waitFor();
  if (await news.isVisible()) await news.click();
  await link(name).waitFor();
}

async function goToList(): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
  await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
}

async function openForm(): Promise<void> {
  await link('Add animal').click();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
}

async function fillForm(name = `Newcomer ${before}`): Promise<void> {
  await openForm();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

/** Holds the POST until the returned function is called. */
async function submitAndLeave(response = (route: Route) => route.fallback()): Promise<() => void> {
  await page.route(api, (route) => (isPost(route) ? response(route) : route.fallback()));
  const letGo = await holdRequests(page, api, isPost);
  await submit();
  await page.getByRole('listitem').filter({ hasText: 'Adding…' }).waitFor();
  await goToList();
  return letGo;
}

it('a form that is closed before the response waits for it when it is opened again, and sends no second POST', async () => {
  await fillForm();
  const letGo = await submitAndLeave();
  await openForm();
  await page.getByRole('listitem').filter({ hasText: 'Adding…' }).waitFor();
  await submit();
  letGo();
  await link(/^Added .*number \d+$/).waitFor();
  expect([await addedCount(), new Set(sent).size]).toEqual([1, 1]);
});

describe('the outcome for a form that was closed', () => {
  const notice = () => page.getByRole('status').filter({ hasText: nemo() }).filter({ hasNotText: 'Still adding' });
  const nemo = () => `Nemo ${before}`;
  const alert = () => page.getByRole('alert');
  const scope = '{"code":"insufficient_scope","message":"This key cannot write.","status":403}';
  const forbid = (route: Route) => route.fulfill({ status: 403, contentType: 'application/json', body: scope });

  async function leave(response?: (route: Route) => Promise<void>): Promise<() => void> {
    await fillForm(nemo());
    return submitAndLeave(response);
  }

  it('is the progress on another page, then the animal in the list', async () => {
    const letGo = await leave();
    const progress = page.getByRole('status').filter({ hasText: nemo() }).getByText('Still adding');
    await progress.waitFor();
    expect(await violationsAsShown(page)).toEqual([]);
    letGo();
    await seeInList(nemo());
    expect(await progress.count()).toBe(0);
    await openForm();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
    expect([await addedCount(), new Set(sent).size]).toEqual([1, 1]);
  });

  it('appears when the animal was not added, and leads back to the form', async () => {
    const letGo = await leave(forbid);
    letGo();
    await notice().waitFor();
    expect((await notice().innerText()).split(/\n+/)).toEqual(['Not added', nemo(), 'Go back to the form']);
    expect(await violationsAsShown(page)).toEqual([]);
    await link('Go back to the form').click();
    await alert().waitFor();
    expect(await alert().innerText()).toMatch(/^Not added\s+You don't have permission to add animals\./);
    await alert().getByRole('button', { name: 'Change it' }).click();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(nemo());
    await page.getByRole('textbox', { name: 'Name' }).fill('');
    await goToList();
    expect(await notice().count()).toBe(0);
  });

  it('names every animal that needs the person, and says "Not added" only of one that was certainly not added', async () => {
    const letGo = await leave(async (route) => {
      await route.fetch({ url: `${store.service.url}/v1/pets` });
      await route.abort('connectionreset');
    });
    letGo();
    await notice().waitFor();
    await page.unroute(api);
    await page.route(api, (route) => (isPost(route) ? forbid(route) : route.fallback()));
    await openForm();
    for (const name of ['Refused', 'Goldfish']) {
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('textbox', { name: 'Category number' }).fill('7');
      await submit();
      await alert().filter({ hasText: name }).waitFor();
    }
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const unknown = "We couldn't confirm that the animal was added";
    const same = 'An animal with this name is already in the store';
    const back = 'Go back to the form';
    const banner = page.getByRole('status').filter({ hasText: nemo() });
    expect((await banner.innerText()).split(/\n+/)).toEqual([
      unknown,
      nemo(),
      back,
      'Not added',
      'Refused',
      back,
      same,
      'Goldfish',
      back,
    ]);
    expect(await violationsAsShown(page)).toEqual([]);
    await page.unroute(api);
  });

  it('is not shown to the next person who signs in, after a sign-out that asks first, and keeps their draft', async () => {
    const letGo = await leave();
    const answer = (isAccepted: boolean) =>
      page.once('dialog', (dialog) => void (isAccepted ? dialog.accept() : dialog.dismiss()));
    answer(false);
    await signOut(page);
    await page.getByText('Still adding').waitFor();
    answer(true);
    await signOut(page);
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await link('Goldfish').waitFor();
    await fillForm('Draft of the next person');
    const responded = page.waitForResponse((response) => response.request().method() === 'POST');
    letGo();
    await responded;
    await goToList();
    // The list refreshes.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await seeInList(nemo());
    expect([await notice().count(), await draft()]).toEqual([0, expect.stringContaining('Draft of the next person')]);
  });
});
