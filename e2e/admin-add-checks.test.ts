import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
/** The bodies of the POST requests. */
let posted: string[];

beforeAll(async () => {
  store = await Store.open();
});
beforeEach(async () => {
  ({ page, failures } = await store.visit('/pets/new'));
  posted = [];
  page.on('request', (request) => request.method() === 'POST' && posted.push(request.postData() ?? ''));
  await name().waitFor();
});
afterEach(() => page.close());
afterAll(() => store.close());

const name = () => page.getByRole('textbox', { name: 'Name' });
const category = () => page.getByRole('textbox', { name: 'Category number' });
const submit = () => page.getByRole('button', { name: 'Add animal' }).click();
const added = () => page.getByRole('link', { name: /Added as number \d+/ });
const justAdded = (count: number) => page.getByRole('heading', { name: `Just added (${count})` });
const isFocused = (element: ReturnType<Page['locator']>) => element.evaluate((node) => node === document.activeElement);

async function fill(animal: { name: string; category: string }): Promise<void> {
  await name().fill(animal.name);
  await category().fill(animal.category);
}

describe('the form rejects', () => {
  it.each([
    ['an empty name', { name: '', category: '1' }, 'Enter a name'],
    ['a name of white space', { name: ' \t ', category: '1' }, 'Enter a name'],
    ['a name that is too long', { name: 'x'.repeat(201), category: '1' }, 'Names can have up to 200 characters'],
    [
      'a category that is too high',
      { name: 'Rex', category: '9223372036854775808' },
      'This category number is too long',
    ],
  ])('what the service rejects: %s', async (_what, animal, message) => {
    await fill(animal);
    await submit();
    expect(await page.getByRole('alert').innerText()).toContain(message);
    const body = `{"name": ${JSON.stringify(animal.name)}, "categoryId": ${animal.category}}`;
    const headers = { 'content-type': 'application/json' };
    const response = await store.service.fetch('/v1/pets', { method: 'POST', body, headers });
    expect(response.status).toBe(400);
    expect([posted, failures]).toEqual([[], []]);
  });

  it.each([
    ['', 'Enter a category number'],
    ['1.5', 'Category must be a whole number'],
    ['1.000', 'Category must be a whole number'],
    ['seven', 'Category must be a whole number'],
    ['1e3', 'Category must be a whole number'],
    ['٣', 'Category must be a whole number'],
  ])('the category "%s"', async (number, message) => {
    await fill({ name: 'Rex', category: number });
    await submit();
    expect(await page.getByRole('alert').innerText()).toContain(message);
    expect(await isFocused(category())).toBe(true);
    expect([posted, failures]).toEqual([[], []]);
  });

  it('with a message at each field and in a summary that links to the field, and focuses the first field', async () => {
    await submit();
    const summary = page.getByRole('alert');
    expect(await summary.innerText()).toContain('There are 2 problems');
    expect(await isFocused(name())).toBe(true);
    expect(await name().getAttribute('aria-invalid')).toBe('true');
    const described = (await category().getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${described.split(' ')[0]}`).innerText()).toContain('Enter a category number');
    await summary.getByRole('button', { name: 'Enter a category number' }).click();
    expect(await isFocused(category())).toBe(true);
    expect([posted, failures]).toEqual([[], []]);
  });
});

describe('the form', () => {
  it('points out an animal with the same name and category before it adds another one', async () => {
    const { id } = await store.add({ name: 'Twin', categoryId: 9n, status: 'sold' });
    await page.goto(store.url(`/pets/${id}`));
    await page.getByRole('link', { name: 'Add another like this' }).click();
    await name().fill('Twin');
    await page.keyboard.press('Enter');
    const warning = page.getByRole('alert');
    await warning.getByText('An animal with this name is already in the store').waitFor();
    await warning.getByRole('link', { name: `number ${id} (sold)` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await warning.getByRole('button', { name: "Don't add" }).click();
    expect([await isFocused(page.locator('h1')), await warning.count(), posted.length]).toEqual([true, 0, 0]);
    await name().press('Enter');
    await warning.waitFor();
    // Enter means "Add another one".
    await page.keyboard.press('Enter');
    await justAdded(1).waitFor();
    // No further question: the person wants several.
    await page.keyboard.type('Twin');
    await page.keyboard.press('Enter');
    await justAdded(2).waitFor();
    expect(posted).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it.each(['1,000', '1 000'])('understands the category number %s, and shows how', async (text) => {
    await fill({ name: `Grouped ${text}`, category: text });
    await name().focus();
    expect(await category().inputValue()).toBe('1000');
    await submit();
    await added().waitFor();
    expect(posted[0]).toContain('"categoryId":1000,');
    expect(failures).toEqual([]);
  });

  it('marks the required fields for screen readers', async () => {
    const required = page.locator('[aria-required=true]');
    expect(await required.count()).toBe(2);
    expect(await name().getAttribute('aria-required')).toBe('true');
  });
});
