import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage, signOut, type WatchedPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: WatchedPage['failures'];

beforeAll(async () => {
  // The document lists a server that this page cannot request.
  const servers = { PUBLIC_BASE_URL: 'https://store.example/v1' };
  store = await Store.start({ HOST: '0.0.0.0', ...servers });
});
beforeEach(async () => {
  ({ page, failures } = await openPage(store.browser));
  return () => page.close();
});
afterAll(() => store.close());

describe('the documentation', () => {
  const title =
    'is authorized by the link of the first start, or in its dialog, until Logout or until the admin signs out';
  it(title, { timeout: 120_000 }, async () => {
    await page.goto(store.url('/openapi.json'));
    // As an earlier version did.
    await page.evaluate(() => localStorage.setItem('authorized', '{"apiKey":{"value":"old"}}'));
    await page.goto(store.url(`/docs#key=${key}`));
    await expand(operation('listPets'));
    expect(await execute(operation('listPets'))).toMatch(/^\[/);
    expect(page.url()).not.toContain(key);
    expect((await stored()).local).toBe('');
    expect(failures).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();

    await page.reload();
    await expectMissingKey();
    await authorize();
    expect(await stored()).toEqual({ local: '', session: expect.stringContaining(key) as string });
    const id = await createBig();

    await page.reload();
    await expectExactIntegers(id);
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('textbox', { name: 'API key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.evaluate(() => localStorage.setItem('authorized', '{}'));
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('authorized'))).toBeNull();
    const { local, session } = await stored();
    expect([local.includes(key), session]).toEqual([false, '']);
    await page.goto(store.url('/docs'));
    await expectMissingKey();
    expect(failures).toEqual(['401: GET /v1/pets', '401: GET /v1/pets']);
  });

  // Browsers treat pages from loopback differently from plain HTTP of another machine.
  it('is authorized by the link of the first start also on the machine of the service', async () => {
    await page.goto(`http://127.0.0.1:${store.service.port}/docs#key=${key}`);
    await expand(operation('listPets'));
    expect(await execute(operation('listPets'))).toMatch(/^\[/);
    expect(page.url()).not.toContain(key);
    expect(failures).toEqual([]);
  });
});

/** Adds an animal with the largest category number. Returns its number. */
async function createBig(): Promise<string> {
  const created = operation('createPet');
  const animal = '{"name": "Big", "categoryId": 9223372036854775807, "status": "sold"}';
  await (await expand(created)).getByRole('textbox').last().fill(animal);
  const added = await execute(created);
  expect(added).toContain('"categoryId": 9223372036854775807');
  return /"id": (\d+)/.exec(added)?.[1] ?? '';
}

async function expectExactIntegers(id: string): Promise<void> {
  const listed = operation('listPets');
  await (await expand(listed)).getByRole('combobox').first().selectOption('sold');
  expect(await execute(listed)).toContain('"categoryId": 9223372036854775807');
  expect(await listed.locator('.request-url').innerText()).toContain('/v1/pets?');

  const got = operation('getPet');
  await (await expand(got)).getByPlaceholder('petId').fill(id);
  expect(await execute(got)).toContain(`"id": ${id}`);
}

/** Returns all values that the page stored. */
function stored(): Promise<{ local: string; session: string }> {
  return page.evaluate(() => ({
    local: Object.values<string>({ ...localStorage }).join(),
    session: Object.values<string>({ ...sessionStorage }).join(),
  }));
}

async function authorize(): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('textbox').fill(key);
  await dialog.getByRole('button', { name: 'Authorize' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

function operation(operationId: string): Locator {
  return page.locator(`#operations-animals-${operationId}`);
}

async function expand(block: Locator): Promise<Locator> {
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).waitFor();
  return block;
}

async function expectMissingKey(): Promise<void> {
  const listed = operation('listPets');
  await expand(listed);
  expect(await execute(listed)).toContain('"code": "missing_api_key"');
}

/** Returns the text of the displayed response. */
async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click();
  return block.locator('.live-responses-table pre').first().innerText();
}
