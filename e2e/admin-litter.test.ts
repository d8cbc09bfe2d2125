import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, addedLinks, isFocused } from './support/add-form.js';
import { failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;
/** The idempotency keys of all POST requests. */
let sent: string[] = [];

/** All tests use one context, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Goldfish', categoryId: 3n });
  ({ page } = await store.visit('/pets'));
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
beforeEach(() => {
  sent = [];
});

const count = () => page.getByRole('textbox', { name: 'How many?' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const numbered = (name: string, size: number) => Array.from({ length: size }, (_, index) => `${name} ${index + 1}`);

async function openForm(): Promise<void> {
  await page.goto(store.url('/pets/new'), { waitUntil: 'networkidle' });
  form = await AddForm.on(page);
}

async function enterLitter(name: string, size: number, category: string): Promise<void> {
  await form.enter({ name, category });
  await count().fill(String(size));
}

/** The service adds the animal, and the browser gets no answer. */
const loseAnswer = (route: Route) => route.fetch({ url: `${store.service.url}/v1/pets` });

describe('a litter', () => {
  it('of ten animals takes 11 keys, each animal has an idempotency key, and their numbers follow the names', async () => {
    await page.getByRole('link', { name: 'Add animal' }).press('Enter');
    form = await AddForm.on(page);
    await expect.poll(() => isFocused(form.name)).toBe(true);
    for (const key of ['R', 'e', 'x', 'Tab', '7', 'Tab', 'Tab', '1', '0']) await page.keyboard.press(key);
    const preview = page.getByRole('list', { name: 'Names' });
    expect(await preview.getByRole('listitem').allInnerTexts()).toEqual([
      'Rex 1',
      'Rex 2',
      'Rex 3',
      'Rex 4',
      '…',
      'Rex 10',
    ]);
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText('Added 10 animals, numbers 2 to 11').waitFor();
    expect(await addedLinks(page).allInnerTexts()).toEqual(numbered('Rex', 10).toReversed());
    expect([await store.names(7n), new Set(sent).size]).toEqual([numbered('Rex', 10).toSorted(), 10]);
    expect([await form.name.inputValue(), await form.category.inputValue(), await count().inputValue()]).toEqual([
      '',
      '7',
      '1',
    ]);
    // Meant for the last litter.
    await page.keyboard.press('Enter');
    expect([sent.length, await page.getByText('Enter a name').count()]).toEqual([10, 0]);
    expect(await violationsInAllLooks(page)).toEqual([]);
  });

  it('that the store has in part is one question for all animals', async () => {
    await enterLitter('rex', 12, '7');
    await button('Add 12 animals').click();
    await page.getByRole('alert').getByText('10 of these 12 animals are already in the store').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    // A second Enter answers nothing.
    await page.keyboard.press('Enter');
    await button("Don't add").click();
    expect(sent).toEqual([]);
    await enterLitter('rex', 12, '7');
    await button('Add 12 animals').click();
    await button('Add only the other 2').click();
    await page.getByRole('main').getByText('Added 2 animals, numbers 12 to 13').waitFor();
    await enterLitter('Rex', 2, '7');
    await button('Add 2 animals').click();
    await button('Add all 2').click();
    await page.getByRole('main').getByText('Added 2 animals, numbers 14 to 15').waitFor();
    expect(await store.names(7n)).toEqual([...numbered('Rex', 10), 'Rex 1', 'Rex 2', 'rex 11', 'rex 12'].toSorted());
  });
});

describe('a litter that is interrupted', () => {
  it('by an error shows what was added, and continues without adding an animal twice', async () => {
    await openForm();
    await page.route('**/v1/pets', async (route) => {
      // The third animal and all retries.
      if (sent.length < 3) return route.continue();
      await loseAnswer(route);
      return route.abort('connectionreset');
    });
    await enterLitter('Ada', 6, '20');
    await button('Add 6 animals').click();
    const alert = page.getByRole('alert').filter({ hasText: 'At least 2 of 6 animals were added' });
    await alert.getByText("We couldn't confirm that Ada 3 was added.").waitFor();
    await alert.getByText('Not added yet: Ada 4 … Ada 6.').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.unrouteAll();
    await form.name.fill('Eva');
    await button('Add the other 4').click();
    await page.getByRole('main').getByText('Added 6 animals').waitFor();
    expect([await store.names(20n), new Set(sent).size]).toEqual([numbered('Ada', 6), 6]);
    // The animal that was begun in the meantime is still there.
    expect(await form.name.inputValue()).toBe('Eva');
    await form.name.fill('');
  });

  it('by a reload continues', async () => {
    await openForm();
    // No answer: the page is loaded again first.
    await page.route('**/v1/pets', (route) => (sent.length === 3 ? loseAnswer(route) : route.continue()));
    await enterLitter('Cleo', 5, '22');
    await button('Add 5 animals').click();
    await page.getByRole('listitem').filter({ hasText: '2 of 5 added' }).waitFor();
    await expect.poll(() => store.names(22n)).toEqual(numbered('Cleo', 3));
    await openForm();
    // After the page was left: this sends the requests that are still held.
    await page.unrouteAll();
    await expect.poll(() => store.names(22n)).toEqual(numbered('Cleo', 5));
    await page.getByRole('listitem').filter({ hasText: 'of 5 added' }).waitFor({ state: 'detached' });
    expect(await store.names(22n)).toEqual(numbered('Cleo', 5));
    expect(await form.name.inputValue()).toBe('');
  });
});
