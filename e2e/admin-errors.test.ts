import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { justAdded } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n, status: 'available' });
  await store.add({ name: 'Mia', categoryId: 7n, status: 'sold' });
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<void> {
  ({ page, failures } = await store.visit(path));
}

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

describe('offline', () => {
  it('shows a banner and no animals of another filter, keeps an animal that could not be sent, and adds it once', async () => {
    await visit('/pets');
    await link('Rex').waitFor();
    await page.context().setOffline(true);
    await page.getByText("You're offline.").waitFor();
    await link('Rex').waitFor();
    await link(/^Sold/).click();
    await page.locator('section[aria-busy=true]').waitFor();
    expect([await link('Rex').count(), await alert().count()]).toEqual([0, 0]);
    await page.context().setOffline(false);
    await link('Mia').waitFor();
    expect(await page.getByText("You're offline.").count()).toBe(0);
    expect(await alert().count()).toBe(0);

    await link('Add animal').click();
    await fillForm('Patience');
    const before = await store.count();
    await page.context().setOffline(true);
    await submit();
    await alert().waitFor();
    expect(await alert().innerText()).toContain('Not added');
    await page.context().setOffline(false);
    await tryAgain().click();
    await added(1);
    expect((await store.count()) - before).toBe(1);
  });
});

describe('an error of the service', () => {
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
    expect(new Set(failures)).toEqual(new Set(['503: GET /v1/pets']));
  });

  it('keeps the list, says how old it is, and is shown on the page of one animal', async () => {
    await visit('/pets');
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

describe('the form', () => {
  it('sends one request while a response is delayed, and explains a missing permission', async () => {
    await visit('/pets/new');
    await fillForm('Slow');
    const before = await store.count();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(api, async (route) => {
      if (isPost(route)) await held;
      await route.continue();
    });
    await submit();
    await page.getByRole('listitem').filter({ hasText: 'Adding…' }).waitFor();
    await submit();
    await page.keyboard.press('Enter');
    letGo();
    await added(1);
    expect((await store.count()) - before).toBe(1);
    expect(failures).toEqual([]);

    await fillForm('Reader');
    await page.route(api, (route) =>
      isPost(route) ? error(403, 'insufficient_scope', 'This key cannot write.')(route) : route.continue(),
    );
    await submit();
    expect(await alert().innerText()).toMatch(/^Not added\s+You don't have permission to add animals\./);
    expect(failures).toEqual(['403: POST /v1/pets']);
  });

  it('adds an animal once when its response is lost, also after a reload', async () => {
    await visit('/pets/new');
    await fillForm('Lost and found');
    const before = await store.count();
    const keys = new Set<string | undefined>();
    page.on('request', (request) => request.method() === 'POST' && keys.add(request.headers()['idempotency-key']));
    await page.route(api, (route) => (isPost(route) ? loseResponse(route) : route.continue()));
    await submit();
    await alert().waitFor();
    expect(await alert().innerText()).toContain("We couldn't confirm that the animal was added");
    await page.unroute(api);
    await page.reload();
    await added(1);
    expect([(await store.count()) - before, keys.size]).toEqual([1, 1]);
  });

  it('after a lost response does not claim that nothing was added, whatever the next response is', async () => {
    await visit('/pets/new');
    const responses: [name: string, (route: Route) => Promise<void>][] = [
      ['409', error(409, 'idempotency_key_in_use', 'An earlier request with this key is still at work.')],
      ['429', error(429, 'rate_limited', 'This API key has sent too many requests.')],
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
});
