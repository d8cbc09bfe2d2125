import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, addedLinks, isFocused } from './support/add-form.js';
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
  watch(page);
});
beforeEach(() => {
  sent = [];
});
afterAll(() => store.close());

const count = () => page.getByRole('textbox', { name: 'How many?' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const interrupted = (text: string) => page.getByRole('alert').filter({ hasText: text });
const numbered = (name: string, size: number) => Array.from({ length: size }, (_, index) => `${name} ${index + 1}`);

function watch(watched: Page): void {
  watched.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['idempotency-key'] ?? '');
  });
}

async function openForm(): Promise<void> {
  await page.goto(store.url('/pets/new'), { waitUntil: 'networkidle' });
  form = await AddForm.on(page);
}

async function enterLitter(name: string, size: number, category: string): Promise<void> {
  await form.enter({ name, category });
  await count().fill(String(size));
}

/** Handles the POST with this position, and lets the others continue. */
async function onPost(position: number, handle: (route: Route) => Promise<void>): Promise<void> {
  let posts = 0;
  await page.route('**/v1/pets', async (route) => {
    posts += 1;
    await (posts === position ? handle(route) : route.continue());
  });
}

/** The service adds the animal, and the browser gets no answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch({ url: `${store.service.url}/v1/pets` });
  await route.abort('connectionreset');
}

describe('a litter', () => {
  it('of ten animals takes at most 12 keys, each animal has a key, and their numbers follow the names', async () => {
    let keys = 0;
    const press = async (pressed: string) => {
      keys += 1;
      await page.keyboard.press(pressed);
    };
    await page.getByRole('link', { name: 'Add animal' }).press('Enter');
    keys += 1;
    form = await AddForm.on(page);
    await expect.poll(() => isFocused(form.name)).toBe(true);
    for (const letter of 'Rex') await press(letter);
    await press('Tab');
    await press('7');
    await press('Tab');
    await press('Tab');
    for (const digit of '10') await press(digit);
    const preview = page.getByRole('list', { name: 'Names' });
    expect(await preview.getByRole('listitem').allInnerTexts()).toEqual([
      'Rex 1',
      'Rex 2',
      'Rex 3',
      'Rex 4',
      '…',
      'Rex 10',
    ]);
    await press('Enter');
    await page.getByRole('main').getByText('Added 10 animals, numbers 2 to 11').waitFor();
    expect(keys).toBeLessThanOrEqual(12);
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

  it('has 2 to 50 animals, whose numbered names must not be too long', async () => {
    for (const size of ['0', '51', '-2', '2.5', 'six', '']) {
      await form.enter({ name: 'Max', category: '7' });
      await count().fill(size);
      await form.submit();
      await page.getByText('Enter a number from 1 to 50').waitFor();
    }
    // Typing replaces the number, also after a click.
    await count().fill('1');
    await form.name.focus();
    await count().click();
    await page.keyboard.type('6');
    expect(await count().inputValue()).toBe('6');
    await enterLitter('x'.repeat(199), 2, '7');
    await button('Add 2 animals').click();
    await page.getByText('Names can have up to 200 characters').waitFor();
    expect(sent).toEqual([]);
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
      if (sent.length >= 3) await loseAnswer(route);
      else await route.continue();
    });
    await enterLitter('Ada', 6, '20');
    await button('Add 6 animals').click();
    const alert = interrupted('2 of 6 animals were added');
    await alert.getByText('Not added yet: Ada 3 … Ada 6.').waitFor();
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

  it('by a lost answer sends the animal again with its key', async () => {
    await openForm();
    await onPost(2, loseAnswer);
    await enterLitter('Ben', 3, '21');
    await button('Add 3 animals').click();
    await page.getByRole('main').getByText('Added 3 animals').waitFor();
    await page.unrouteAll();
    expect([await store.names(21n), sent.length, new Set(sent).size]).toEqual([numbered('Ben', 3), 4, 3]);
  });

  it('by a reload continues', async () => {
    await openForm();
    // No answer: the page is loaded again first.
    await onPost(3, async (route) => void (await route.fetch({ url: `${store.service.url}/v1/pets` })));
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

  it('can be left as it is', async () => {
    await openForm();
    await onPost(2, (route) =>
      route.fulfill({ status: 403, json: { code: 'insufficient_scope', message: 'No.', status: 403 } }),
    );
    await enterLitter('Dora', 4, '23');
    await button('Add 4 animals').click();
    await interrupted('1 of 4 animals were added').waitFor();
    await page.unrouteAll();
    await button("Don't add them").click();
    await page.reload({ waitUntil: 'networkidle' });
    await heading('Add animal').waitFor();
    expect([await page.getByRole('alert').count(), await store.names(23n)]).toEqual([0, ['Dora 1']]);
  });

  it('and continued with another key asks the person about the animal that may be added', async () => {
    const another = await store.newKey();
    await openForm();
    await page.route('**/v1/pets', (route) => (sent.length > 1 ? route.abort('connectionreset') : route.fallback()));
    await enterLitter('Emil', 3, '24');
    await button('Add 3 animals').click();
    await interrupted('1 of 3 animals were added').waitFor();
    await page.unrouteAll();
    await store.add({ name: 'Emil 2', categoryId: 24n });
    const body = '{"code":"invalid_api_key","message":"This API key is not valid.","status":401}';
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body }));
    await button('Add the other 2').click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await page.unrouteAll();
    await dialog.getByRole('textbox', { name: 'Key' }).fill(another);
    await dialog.getByRole('button', { name: 'Sign in and continue' }).click();
    const { id } = await store.newest();
    await interrupted(`This animal may already have been added as number ${id}`).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button(`Yes, it's number ${id}`).click();
    await page.getByRole('main').getByText('Added 3 animals').waitFor();
    expect(await store.names(24n)).toEqual(numbered('Emil', 3));
  });
});
