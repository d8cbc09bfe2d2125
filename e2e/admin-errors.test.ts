import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { justAdded } from './support/add-form.js';
import { failures, rejectKey } from './support/page.js';
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
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));

const visit = (path: string) => page.goto(store.url(path));
const api = '**/v1/**';
const error = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/json',
    headers: { 'x-request-id': 'request-42' },
    body: JSON.stringify({ code, message, status }),
  });
const unavailable = error(503, 'service_unavailable', 'The database is unavailable. Try again in 1 second.');
const isPost = (route: Route) => route.request().method() === 'POST';
const alert = () => page.getByRole('alert');
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
/** Waits until this tab has added that many animals since it was loaded. */
const added = (count: number) => justAdded(page, count).waitFor();
const link = (name: string | RegExp) => page.getByRole('link', { name });

async function fillForm(name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Category number' }).fill('7');
}

const submit = () => page.getByRole('button', { name: 'Add animal' }).click();

describe('an error of the service', () => {
  it.each([
    ['/pets/new', () => page.getByRole('textbox', { name: 'Name' })],
    ['/overview', () => page.getByRole('heading', { name: 'Newest animals' })],
  ])('about the categories leaves %s usable, and is not followed by requests without an end', async (path, part) => {
    let requests = 0;
    await page.route('**/categories.json', (route) => {
      requests += 1;
      return unavailable(route);
    });
    await visit(path);
    await part().waitFor();
    await page.waitForTimeout(2000);
    await page.unroute('**/categories.json');
    expect(await part().isVisible()).toBe(true);
    expect(requests).toBeLessThan(10);
  });

  it('is explained, has the message and the request id under Details, and can be retried', async () => {
    await visit('/pets');
    await page.route(api, unavailable);
    await link(/^Sold/).click();
    await alert().waitFor();
    expect(await alert().innerText()).toContain("Petstore isn't available right now");
    expect(await alert().innerText()).not.toContain('The database is unavailable');
    await alert().getByText('Details').click();
    expect(await alert().innerText()).toContain('The database is unavailable. Try again in 1 second.');
    expect(await alert().innerText()).toContain('request-42');
    expect(await link('Rex').count()).toBe(0);
    await page.unroute(api);
    await tryAgain().click();
    await link('Mia').waitFor();
    expect(await alert().count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(new Set(failures.splice(0))).toEqual(new Set(['503: GET /v1/pets']));
  });

  it('keeps the list, says how old it is, and is shown on the page of one animal', async () => {
    await visit('/pets?limit=20');
    await link('Rex').waitFor();
    await page.route(api, unavailable);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await alert().waitFor();
    expect(await alert().innerText()).toMatch(/What you see below is from \d+:\d+/);
    await link('Rex').waitFor();

    await page.goto(store.url('/pets/1'));
    await alert().waitFor();
    await page.unroute(api);
    await tryAgain().click();
    await page.getByRole('heading', { level: 1, name: 'Rex' }).waitFor();
  });
});

/** Adds the animal, but does not let its response arrive. */
async function loseResponse(route: Route): Promise<void> {
  await route.fetch({ url: `${store.service.url}/v1/pets` });
  await route.abort('connectionreset');
}

it('the form after a lost response does not claim that nothing was added, whatever the next response is', async () => {
  await visit('/pets/new');
  const responses: [name: string, (route: Route) => Promise<void>][] = [
    ['409', error(409, 'idempotency_key_in_use', 'An earlier request with this key is still at work.')],
    ['403 of a proxy', (route) => route.fulfill({ status: 403, contentType: 'text/html', body: '<p>No.' })],
    ['unreadable 201', (route) => route.fulfill({ status: 201, contentType: 'text/html', body: 'OK' })],
  ];
  for (const [index, [name, respond]] of responses.entries()) {
    await fillForm(`After ${name}`);
    const before = await store.count();
    let posts = 0;
    await page.route(api, (route) => {
      if (!isPost(route)) return route.continue();
      posts += 1;
      return posts === 1 ? loseResponse(route) : respond(route);
    });
    await submit();
    await alert().waitFor();
    expect(await alert().innerText(), name).toContain("We couldn't confirm that the animal was added");
    expect(posts, name).toBeGreaterThan(1);
    await page.unroute(api);
    await tryAgain().click();
    await added(index + 1);
    expect((await store.count()) - before, name).toBe(1);
  }
});

describe('a key that the service rejects', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Sign in again' });

  it('opens sign-in over the form, which keeps its content and sends one animal', async () => {
    await visit('/pets/new');
    await fillForm('Interrupted');
    const before = await store.count();
    await rejectKey(page);
    await submit();
    await dialog().getByText('Your key is no longer valid.').waitFor();
    await dialog().getByText('Details').click();
    expect(await dialog().innerText()).toContain('This API key is not valid.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog().isVisible()).toBe(true);
    await page.unrouteAll();
    await dialog().getByRole('textbox', { name: 'Key' }).fill(key);
    await dialog().getByRole('button', { name: 'Sign in and continue' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Added Interrupted, .*number \d+$/ }).waitFor();
    expect((await store.count()) - before).toBe(1);
  });

  it('says that it has expired, also on the sign-in page', async () => {
    const json = { id: '1', name: 'desk', scopes: ['read'], expiresAt: '2026-01-01T00:00:00.000Z' };
    await page.route('**/key.json', (route) => route.fulfill({ json }));
    await visit('/pets');
    await link('Mia').waitFor();
    await rejectKey(page);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await dialog().getByText('Your key has expired. Ask your manager for a new one.').waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await alert().getByText('This key has expired. Ask your manager for a new one.').waitFor();
  });
});
