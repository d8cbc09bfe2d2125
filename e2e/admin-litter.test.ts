import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, addedLinks } from './support/add-form.js';
import { failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;
/** The idempotency keys of all POST requests. */
let sent: string[] = [];

/** Each test loads an empty form. */
beforeAll(async () => {
  store = await Store.open();
  ({ page } = await store.visit('/pets'));
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  form = await AddForm.open(page, store.url('/pets/new'));
  sent = [];
});

const count = () => page.getByRole('textbox', { name: 'How many?' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const main = (text: string) => page.getByRole('main').getByText(text);
const numbered = (name: string, size: number) => Array.from({ length: size }, (_, index) => `${name} ${index + 1}`);

async function addLitter(name: string, size: number, category: string): Promise<void> {
  await form.enter({ name, category });
  await count().fill(String(size));
  await button(`Add ${size} animals`).click();
}

/** The service adds the animal, and the browser gets no answer. */
const loseAnswer = (route: Route) => route.fetch({ url: `${store.service.url}/v1/pets` });

it('a litter of ten animals takes 11 keys, each animal has an idempotency key, and their numbers follow the names', async () => {
  for (const key of ['R', 'e', 'x', 'Tab', '7', 'Tab', 'Tab', '1', '0']) await page.keyboard.press(key);
  await main('Rex 1 … Rex 10').waitFor();
  await page.keyboard.press('Enter');
  await main('Added 10 animals, numbers').waitFor();
  expect(await addedLinks(page).allInnerTexts()).toEqual(numbered('Rex', 10).toReversed());
  expect([await store.names(7n), new Set(sent).size]).toEqual([numbered('Rex', 10).toSorted(), 10]);
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '7']);
  expect(await count().inputValue()).toBe('1');
  // Meant for the last litter.
  await page.keyboard.press('Enter');
  expect([sent.length, await page.getByText('Enter a name').count()]).toEqual([10, 0]);
  expect(await violationsInAllLooks(page)).toEqual([]);
});

it('a litter that the store has in part is one question for all animals', async () => {
  for (const name of numbered('Ida', 10)) await store.add({ name, categoryId: 8n });
  await addLitter('ida', 12, '8');
  await page.getByRole('alert').getByText('10 of these 12 animals are already in the store').waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  // A second Enter answers nothing.
  await page.keyboard.press('Enter');
  await button("Don't add").click();
  expect(sent).toEqual([]);
  await addLitter('ida', 12, '8');
  await button('Add only the other 2').click();
  await main('Added 2 animals, numbers').waitFor();
  await addLitter('Ida', 2, '8');
  await button('Add all 2').click();
  await form.justAdded(4).waitFor();
  expect(await store.names(8n)).toEqual([...numbered('Ida', 10), 'Ida 1', 'Ida 2', 'ida 11', 'ida 12'].toSorted());
});

describe('a litter that is interrupted', () => {
  it('by an error shows what was added, and continues without adding an animal twice', async () => {
    await page.route('**/v1/pets', async (route) => {
      // The third animal and all retries.
      if (sent.length < 3) return route.continue();
      await loseAnswer(route);
      return route.abort('connectionreset');
    });
    await addLitter('Ada', 6, '20');
    const alert = page.getByRole('alert').filter({ hasText: 'At least 2 of 6 animals were added' });
    await alert.getByText("We couldn't confirm that Ada 3 was added.").waitFor();
    await alert.getByText('Not added yet: Ada 4 … Ada 6.').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.unrouteAll();
    await form.name.fill('Eva');
    await button('Add the other 4').click();
    await form.justAdded(6).waitFor();
    expect([await store.names(20n), new Set(sent).size]).toEqual([numbered('Ada', 6), 6]);
    // The animal that was begun in the meantime is still there.
    expect(await form.name.inputValue()).toBe('Eva');
  });

  it('by a reload continues', async () => {
    // No answer: the page is loaded again first.
    await page.route('**/v1/pets', (route) => (sent.length === 3 ? loseAnswer(route) : route.continue()));
    await addLitter('Cleo', 5, '22');
    await page.getByRole('listitem').filter({ hasText: '2 of 5 added' }).waitFor();
    await expect.poll(() => store.names(22n)).toEqual(numbered('Cleo', 3));
    await page.goto(store.url('/pets/new'));
    // After the page was left: this sends the requests that are still held.
    await page.unrouteAll();
    await form.justAdded(5).waitFor();
    expect([await store.names(22n), new Set(sent).size]).toEqual([numbered('Cleo', 5), 5]);
    expect(await form.name.inputValue()).toBe('');
  });
});
