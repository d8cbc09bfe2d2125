import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm } from './support/add-form.js';
import { focused } from './support/keyboard.js';
import { api, errors, failures, refresh, rejectKey } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n, status: 'available' });
  await store.add({ name: 'Mia', categoryId: 7n, status: 'sold' });
  ({ page } = await store.visit('/pets'));
});
afterEach(async () => {
  await page.context().setOffline(false);
  await page.unrouteAll();
  // Failed requests belong to these tests.
  failures.splice(0);
});

async function open(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
}
const answer = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({ status, headers: { 'x-request-id': 'request-42' }, json: { code, message, status } });
const unavailable = answer(503, 'service_unavailable', 'The database is unavailable. Try again in 1 second.');
const alert = () => page.getByRole('alert');
const button = (name: string) => page.getByRole('button', { name });
const link = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const navigate = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

async function fillForm(name: string): Promise<AddForm> {
  const form = await AddForm.on(page);
  await form.enter({ name, category: '7' });
  return form;
}

it('the form and the Overview are usable without the categories, which are not requested without an end', async () => {
  // This test has its own page, whose clock it sets forward.
  const { page: later } = await store.visit('/export');
  await later.clock.install();
  let requests = 0;
  await later.route('**/categories.json', (route) => {
    requests += 1;
    return unavailable(route);
  });
  for (const [path, role, name] of [
    ['/pets/new', 'textbox', 'Category number'],
    ['/overview', 'link', /^All animals/],
  ] as const) {
    requests = 0;
    await later.goto(store.url(path));
    for (let second = 0; second < 30; second += 1) await later.clock.runFor(1000);
    await later.getByRole('main').getByRole(role, { name }).waitFor();
    expect(requests, path).toBeGreaterThan(0);
    expect(requests, path).toBeLessThanOrEqual(10);
  }
  await later.close();
});

describe('an error of the service', () => {
  it('is explained, has the message and the request id under Details, and can be retried', async () => {
    await open('/pets');
    await link('Rex').waitFor();
    await page.route(api, unavailable);
    await link(/^Sold/).click();
    await alert().getByText("Petstore isn't available right now").waitFor();
    expect(await alert().innerText()).not.toContain('The database is unavailable');
    await alert().getByText('Details').click();
    for (const detail of ['The database is unavailable. Try again in 1 second.', 'request-42'])
      await alert().getByText(detail).waitFor();
    expect(await link('Rex').count()).toBe(0);
    await page.unroute(api);
    await button('Try again').click();
    await link('Mia').waitFor();
    await alert().waitFor({ state: 'detached' });
    await focused(page, 'Animals');
  });

  it('keeps the list, and says how old it is. Without an answer, the service is blamed, not the connection', async () => {
    await open('/pets');
    await link('Rex').waitFor();
    await page.route(api, unavailable);
    await refresh(page);
    await alert()
      .getByText(/What you see below is from \d+:\d+/)
      .waitFor();
    await link('Rex').waitFor();
    await page.unroute(api);
    await page.route(api, (route) => route.abort('connectionrefused'));
    await page.goto(store.url('/pets/1'));
    await alert().getByText("Petstore doesn't answer").waitFor();
    expect(await page.getByText(/offline|network connection/).count()).toBe(0);
    await page.unroute(api);
    await button('Try again').click();
    await heading('Rex').waitFor();
  });
});

it.each<[next: string, respond: (route: Route) => Promise<void>]>([
  ['409', answer(409, 'idempotency_key_in_use', 'An earlier request with this key is still at work.')],
  ['403 of a proxy', (route) => route.fulfill({ status: 403, contentType: 'text/html', body: '<p>No.' })],
  ['unreadable 201', (route) => route.fulfill({ status: 201, contentType: 'text/html', body: 'OK' })],
])('after a lost response and a %s, the form does not claim that nothing was added', async (next, respond) => {
  await open('/pets/new');
  const form = await fillForm(`After ${next}`);
  const before = await store.count();
  let posts = 0;
  await page.route('**/v1/pets', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posts += 1;
    if (posts > 1) return respond(route);
    await route.fetch({ url: `${store.service.url}/v1/pets` });
    return route.abort('connectionreset');
  });
  await form.submit();
  await alert().getByText("We couldn't confirm that the animal was added").waitFor();
  expect(posts).toBeGreaterThan(1);
  await page.unrouteAll();
  await button('Try again').click();
  await form.added.waitFor();
  expect((await store.count()) - before).toBe(1);
});

it('a key that is rejected opens sign-in over the form, which keeps its content and sends one animal', async () => {
  await open('/pets/new');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  const form = await fillForm('Interrupted');
  const before = await store.count();
  await rejectKey(page);
  await form.submit();
  await dialog.getByText('Your key is no longer valid. Your work is saved.').waitFor();
  await dialog.getByText('Details').click();
  await dialog.getByText('This API key is not valid.').waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape');
  await page.unrouteAll();
  await dialog.getByRole('textbox', { name: 'Key' }).fill(key);
  await dialog.getByRole('button', { name: 'Sign in and continue' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Added Interrupted, .*number \d+$/ }).waitFor();
  expect((await store.count()) - before).toBe(1);
});

it('a page whose code does not load says so, and Reload opens it', async () => {
  await open('/pets');
  await page.route('**/assets/labels-page-*', (route) => route.abort());
  await navigate('Labels');
  await alert().getByText("Petstore doesn't answer").waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.unrouteAll();
  await button('Reload').click();
  await heading('Print labels').waitFor();
  // React logs an error that a page shows.
  expect(errors.splice(0)[0]).toContain('PageNotLoaded');
});

it('while the device is offline, the pages of the counter open, and one message says how old they are', async () => {
  await open('/pets');
  const message = page.getByText(
    /^You're offline\. This page is from \d+:\d+.*\. You can't add animals until you're back online\.$/,
  );
  const expectOneMessage = async () => {
    await message.waitFor();
    expect([await alert().count(), await page.getByText(/offline/).count()]).toEqual([0, 1]);
  };
  await link('Rex').waitFor();
  await page.context().setOffline(true);
  await expectOneMessage();
  // No animals of another filter.
  await link(/^Sold/).click();
  await link('Rex').waitFor({ state: 'detached' });
  await link(/^All/).click();
  await link('Rex').click();
  await heading('Rex').waitFor();
  await page.getByRole('main').getByText('Available').first().waitFor();
  await expectOneMessage();
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add animal');
  await page.keyboard.press('Enter');
  await heading('Add animal').waitFor();
  await page.context().setOffline(false);
  await message.waitFor({ state: 'detached' });
});
