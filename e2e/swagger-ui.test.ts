import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize, closeDialog, execute, expand, operation } from './support/swagger-ui.js';

let store: Store;
let page: Page;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  // The document lists a server that this page cannot request.
  const servers = { PUBLIC_BASE_URL: 'https://store.example/v1' };
  store = await Store.start({ HOST: '0.0.0.0', ...servers });
  ({ page } = await openPage(store.browser));
  await page.goto(store.url('/docs'));
});

describe('the documentation', () => {
  it('sends only the parameters that a person fills in, and prefills required ones with their example', async () => {
    const listed = await expectMissingKey();
    expect(await requestUrl(listed)).toMatch(/\/v1\/pets$/);
    const fields = await listed.locator('tr[data-param-name] :is(input, select)').all();
    expect(fields.length).toBeGreaterThan(5);
    expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(fields.map(() => ''));
    await listed.getByPlaceholder('limit').fill('5');
    await listed.getByPlaceholder('limit').fill('');
    await listed.getByPlaceholder('id', { exact: true }).fill('1');
    await execute(listed);
    expect(await requestUrl(listed)).toMatch(/\/v1\/pets\?id=1$/);
    await listed.getByPlaceholder('id', { exact: true }).fill('');
    const got = await expand(page, 'getPet');
    expect(await got.getByPlaceholder('petId').inputValue()).toBe('1');
    const created = await expand(page, 'createPet');
    expect(await created.getByPlaceholder('Idempotency-Key').inputValue()).toBe('');
    expect(failures.splice(0)).toEqual(['401: GET /v1/pets', '401: GET /v1/pets']);
  });

  it('is authorized by its dialog, also after a reload, and lists the animals of typed categories with every digit', async () => {
    await closeDialog(await authorize(page, key));
    expect(await stored()).toEqual({ local: '', session: expect.stringContaining(key) as string });
    const id = await createBig();
    await store.add({ name: 'Other', categoryId: 7n });

    await page.reload();
    const listed = await expectExactIntegers(id);
    const categories = listed.locator('tr[data-param-name=categoryId]');
    for (const number of ['9223372036854775807', '-5']) {
      await categories.getByRole('button', { name: /Add/ }).click();
      await categories.getByRole('textbox').last().fill(number);
    }
    await listed.getByRole('combobox', { name: 'status' }).selectOption('');
    const response = await execute(listed);
    expect(response).toContain('"categoryId": 9223372036854775807');
    expect(response).not.toContain('"Other"');
    expect(await requestUrl(listed)).toMatch(/categoryId=9223372036854775807(,|%2C)-5/);
  });

  it('forgets the key at Logout, and when the admin signs out', async () => {
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('button', { name: 'Remove authorization' }).click();
    expect((await stored()).session).not.toContain(key);
    await page.reload();
    await expectMissingKey();
    await closeDialog(await authorize(page, key));
    await page.goto(store.url('/'));
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const { local, session } = await stored();
    expect([local.includes(key), session]).toEqual([false, '']);
    await page.goto(store.url('/docs'));
    await expectMissingKey();
    expect(failures.splice(0)).toEqual(['401: GET /v1/pets', '401: GET /v1/pets']);
  });

  // Browsers treat pages from loopback differently from plain HTTP of another machine.
  it('shows curl commands without the key, also on the machine of the service', async () => {
    await page.goto(`http://127.0.0.1:${store.service.port}/docs`);
    await closeDialog(await authorize(page, key));
    const listed = await expand(page, 'listPets');
    expect(await execute(listed)).toMatch(/^\[/);
    expect(await listed.locator('.curl').innerText()).toContain('Authorization: Bearer <API_KEY>');
    expect(await page.locator('body').innerText()).not.toContain(key);
  });
});

const requestUrl = (listed: Locator) => listed.locator('.request-url').innerText();

/** Adds an animal with the largest category number. Returns its number. */
async function createBig(): Promise<string> {
  const created = operation(page, 'createPet');
  const animal = '{"name": "Big", "categoryId": 9223372036854775807, "status": "sold"}';
  await created.getByRole('textbox', { name: 'Request body' }).fill(animal);
  const added = await execute(created);
  expect(added).toContain('"categoryId": 9223372036854775807');
  return /"id": (\d+)/.exec(added)?.[1] ?? '';
}

async function expectExactIntegers(id: string): Promise<Locator> {
  const listed = await expand(page, 'listPets');
  await listed.getByRole('combobox', { name: 'status' }).selectOption('sold');
  expect(await execute(listed)).toContain('"categoryId": 9223372036854775807');
  expect(await requestUrl(listed)).toContain('/v1/pets?');

  const got = await expand(page, 'getPet');
  await got.getByPlaceholder('petId').fill(id);
  expect(await execute(got)).toContain(`"id": ${id}`);
  return listed;
}

/** Returns all values that the page stored. */
function stored(): Promise<{ local: string; session: string }> {
  return page.evaluate(() => ({
    local: Object.values<string>({ ...localStorage }).join(),
    session: Object.values<string>({ ...sessionStorage }).join(),
  }));
}

/** Executes listPets without a key. Returns the operation. */
async function expectMissingKey(): Promise<Locator> {
  const listed = await expand(page, 'listPets');
  expect(await execute(listed)).toContain('"code": "missing_api_key"');
  return listed;
}
