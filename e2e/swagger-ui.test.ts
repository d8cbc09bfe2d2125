import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize, closeDialog, execute, expand, operation } from './support/swagger-ui.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  // The document lists a server that this page cannot request.
  store = await Store.start({ PUBLIC_BASE_URL: 'https://store.example/v1' });
});
afterEach(() => page.context().close());

/** The class of the page in the themes of the device. */
const themes = { light: '', dark: 'dark-mode' };

async function open(origin: string, colorScheme: keyof typeof themes = 'light'): Promise<void> {
  ({ page } = await openPage(store.browser, { colorScheme }));
  await page.goto(`${origin}/docs`);
  await operation(page, 'listPets').waitFor();
  expect(await page.evaluate(() => document.documentElement.className)).toBe(themes[colorScheme]);
}

describe('the documentation', () => {
  it('sends only the parameters that a person fills in, shows every digit, keeps the key over a reload, and is readable', async () => {
    await open(store.url(''), 'dark');
    const listed = await expectMissingKey();
    expect(await requestUrl(listed)).toMatch(/\/v1\/pets$/);
    for (const row of await listed.locator('tr[data-param-name]').all()) await expectSpace(row);
    const fields = await listed.locator('tr[data-param-name] :is(input, select)').all();
    expect(fields.length).toBeGreaterThan(5);
    expect(await Promise.all(fields.map((field) => field.inputValue()))).toEqual(fields.map(() => ''));
    await listed.getByPlaceholder('limit').fill('5');
    await listed.getByPlaceholder('limit').fill('');
    await listed.getByPlaceholder('id', { exact: true }).fill('1');
    await execute(listed);
    expect(await requestUrl(listed)).toMatch(/\/v1\/pets\?id=1$/);
    await expect.poll(() => failures).toEqual(['401: GET /v1/pets', '401: GET /v1/pets']);
    failures.length = 0;

    await closeDialog(await authorize(page, key));
    expect(await stored()).toEqual({ local: '', session: expect.stringContaining(key) as string });
    const id = await createBig(await expand(page, 'createPet'));
    await store.add({ name: 'Other', categoryId: 7n, status: 'sold' });

    await page.reload();
    const got = await expand(page, 'getPet');
    // The example of the document.
    expect(await got.getByPlaceholder('petId').inputValue()).toBe('1');
    await got.getByPlaceholder('petId').fill(id);
    expect(await execute(got)).toContain(`"id": ${id}`);
    await expectExactCategories(await expand(page, 'listPets'));
    // A reload opens the operation that was opened last.
    await execute(operation(page, 'createPet'));
    await page.getByText('How to use the API').click();
    await page.getByRole('heading', { name: 'Exact integers' }).waitFor();
    expect(await problems()).toEqual([]);
  });

  it('shows the focus, the deprecated operation last, and a readable dialog', async () => {
    await open(store.url(''));
    for (let stops = 0; stops < 15; stops += 1) {
      await page.keyboard.press('Tab');
      expect(await focus(page)).toMatchObject({ isBody: false, isVisible: true });
    }
    const isDeprecated = (blocks: Element[]) => blocks.map((block) => block.matches('.opblock-deprecated'));
    expect(await page.locator('.opblock').evaluateAll(isDeprecated)).toEqual([false, false, true]);
    expect(await page.locator('.info a[href="/openapi.json"]').count()).toBe(1);
    await authorize(page, key);
    expect(await problems()).toEqual([]);
  });

  // Browsers treat pages from loopback differently from plain HTTP of another machine.
  it('shows curl commands that take the key from PETSTORE_API_KEY, and forgets it at Logout and when the admin signs out', async () => {
    await open(store.service.url);
    await closeDialog(await authorize(page, key));
    const listed = await expand(page, 'listPets');
    expect(await execute(listed)).toMatch(/^\[/);
    const curl = await listed.locator('.curl').innerText();
    const [url, option] = [`${store.service.url}/v1/pets`, `Authorization: Bearer ${key}`];
    expect(argumentsOf(curl)).toEqual(['-H', option, '-X', 'GET', url, '-H', 'accept: */*']);
    expect(await page.locator('body').innerText()).not.toContain(key);

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('button', { name: 'Remove authorization' }).click();
    expect((await stored()).session).not.toContain(key);
    await page.reload();
    // A reload opens the operation that was opened last.
    expect(await execute(listed)).toContain('"code": "missing_api_key"');
    expect(failures.splice(0)).toEqual(['401: GET /v1/pets']);
    await authorize(page, key);
    await page.goto(store.service.url);
    await page.getByRole('textbox', { name: 'Key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const { local, session } = await stored();
    expect([local.includes(key), session]).toEqual([false, '']);
  });
});

/** The arguments of a curl command in a shell that has the key in PETSTORE_API_KEY. */
function argumentsOf(curl: string): string[] {
  const script = `curl() { printf '%s\\n' "$@"; }; ${curl}`;
  return execFileSync('sh', ['-c', script], { env: { PETSTORE_API_KEY: key }, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

const requestUrl = (listed: Locator) => listed.locator('.request-url').innerText();

/** Adds an animal with the largest category number. Returns its number. */
async function createBig(created: Locator): Promise<string> {
  expect(await created.getByPlaceholder('Idempotency-Key').inputValue()).toBe('');
  const animal = '{"name": "Big", "categoryId": 9223372036854775807, "status": "sold"}';
  await created.getByRole('textbox', { name: 'Request body' }).fill(animal);
  const added = await execute(created);
  expect(added).toContain('"categoryId": 9223372036854775807');
  return /"id": (\d+)/.exec(added)?.[1] ?? '';
}

/** Lists the animals of a chosen status and of typed categories. */
async function expectExactCategories(listed: Locator): Promise<void> {
  await listed.getByRole('combobox', { name: 'status' }).selectOption('sold');
  const categories = listed.locator('tr[data-param-name=categoryId]');
  for (const number of ['9223372036854775807', '-5']) {
    await categories.getByRole('button', { name: /Add/ }).click();
    await categories.getByRole('textbox').last().fill(number);
  }
  const response = await execute(listed);
  expect(response).toContain('"categoryId": 9223372036854775807');
  expect(response).not.toContain('"Other"');
  expect(await requestUrl(listed)).toMatch(/\/v1\/pets\?status=sold&categoryId=9223372036854775807(,|%2C)-5/);
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

/** The rules of axe that Swagger UI's own markup breaks, and where. */
const brokenBySwaggerUi: Readonly<Record<string, string>> = {
  'heading-order': 'the headings of tags, of the dialog and of responses skip levels',
  'label-content-name-mismatch': 'the button "Logout" of the dialog has the label "Remove authorization"',
  'landmark-unique': 'the responses of two operations on one path have the same id',
  'nested-interactive': 'the button that opens an operation contains a link',
  region: 'the description and the servers stand outside of its main landmark',
};

/** Returns what makes the page unreadable, or its controls unusable, on a phone in light and a wide screen in dark. */
async function problems(): Promise<string[]> {
  const all: string[] = [];
  for (const [colorScheme, width] of [
    ['light', 412],
    ['dark', 1280],
  ] as const) {
    // Swagger UI asks for the theme of the device only when it starts.
    await page.emulateMedia({ colorScheme });
    await page.evaluate((name) => (document.documentElement.className = name), themes[colorScheme]);
    await page.setViewportSize({ width, height: 900 });
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrollWidth > width) all.push(`scrolls sideways to ${scrollWidth} px`);
    const found = await violations(page);
    const isOurs = (violation: string) =>
      !Object.keys(brokenBySwaggerUi).some((rule) => violation.startsWith(`${rule}:`));
    all.push(...found.filter(isOurs).map((violation) => `${colorScheme}: ${violation}`));
  }
  return all;
}

/** There is space between the type of a parameter and its field. */
async function expectSpace(row: Locator): Promise<void> {
  const field = await row.locator('input, select, button').first().boundingBox();
  const text = await row.locator('.parameter__type').evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().right;
  });
  expect((field?.x ?? 0) - text).toBeGreaterThanOrEqual(8);
}
