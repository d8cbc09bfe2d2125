import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm, isFocused } from './support/add-form.js';
import { violations } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let form: AddForm;

beforeAll(async () => {
  store = await Store.open();
});
beforeEach(async () => {
  ({ page, failures } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
});
afterEach(() => page.close());
afterAll(() => store.close());

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
    await form.enter(animal);
    await form.submit();
    expect(await page.getByRole('alert').innerText()).toContain(message);
    const body = `{"name": ${JSON.stringify(animal.name)}, "categoryId": ${animal.category}}`;
    const headers = { 'content-type': 'application/json' };
    const response = await store.service.fetch('/v1/pets', { method: 'POST', body, headers });
    expect(response.status).toBe(400);
    expect([form.posted, failures]).toEqual([[], []]);
  });

  it.each([
    ['', 'Enter a category number'],
    ['1.5', 'Category must be a whole number'],
    ['1.000', 'Category must be a whole number'],
    ['seven', 'Category must be a whole number'],
    ['1e3', 'Category must be a whole number'],
    ['٣', 'Category must be a whole number'],
  ])('the category "%s"', async (number, message) => {
    await form.enter({ name: 'Rex', category: number });
    await form.submit();
    expect(await page.getByRole('alert').innerText()).toContain(message);
    expect(await isFocused(form.category)).toBe(true);
    expect([form.posted, failures]).toEqual([[], []]);
  });

  it('with a message at each field and in a summary that links to the field, and focuses the first field', async () => {
    await form.submit();
    const summary = page.getByRole('alert');
    expect(await summary.innerText()).toContain('There are 2 problems');
    expect(await isFocused(form.name)).toBe(true);
    expect(await form.name.getAttribute('aria-invalid')).toBe('true');
    const described = (await form.category.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${described.split(' ')[0]}`).innerText()).toContain('Enter a category number');
    await summary.getByRole('button', { name: 'Enter a category number' }).click();
    expect(await isFocused(form.category)).toBe(true);
    expect([form.posted, failures]).toEqual([[], []]);
  });
});

describe('the form', () => {
  it('points out an animal with the same name and category before it adds another one', async () => {
    const { id } = await store.add({ name: 'Twin', categoryId: 9n, status: 'sold' });
    await page.goto(store.url(`/pets/${id}`));
    await page.getByRole('link', { name: 'Add another like this' }).click();
    await form.name.fill('Twin');
    await page.keyboard.press('Enter');
    const warning = page.getByRole('alert');
    await warning.getByText('An animal with this name is already in the store').waitFor();
    await warning.getByRole('link', { name: `number ${id} (sold)` }).waitFor();
    expect(await violations(page)).toEqual([]);
    await warning.getByRole('button', { name: "Don't add" }).click();
    expect([await isFocused(page.locator('h1')), await warning.count(), form.posted.length]).toEqual([true, 0, 0]);
    await form.name.press('Enter');
    await warning.waitFor();
    // Enter means "Add another one".
    await page.keyboard.press('Enter');
    await form.justAdded(1).waitFor();
    // No further question: the person wants several.
    await page.keyboard.type('Twin');
    await page.keyboard.press('Enter');
    await form.justAdded(2).waitFor();
    expect(form.posted).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  it.each(['1,000', '1 000'])('understands the category number %s, and shows how', async (text) => {
    await form.enter({ name: `Grouped ${text}`, category: text });
    await form.name.focus();
    expect(await form.category.inputValue()).toBe('1000');
    await form.submit();
    await form.added.waitFor();
    expect(form.posted[0]).toContain('"categoryId":1000,');
    expect(failures).toEqual([]);
  });

  it('marks the required fields for screen readers', async () => {
    const required = page.locator('[aria-required=true]');
    expect(await required.count()).toBe(2);
    expect(await form.name.getAttribute('aria-required')).toBe('true');
  });
});
