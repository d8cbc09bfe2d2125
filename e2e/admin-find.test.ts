import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { failures, holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open('7,Dogs', '9,Ferrets', '10,Guinea pigs');
  const names = ['Rex', 'Zoë', 'T-Rex', 'Rex the Second', '2024'];
  for (const name of names) await store.add({ name, categoryId: 7n });
  const ferrets = ['White ferret', 'Black ferret', 'Ferret 3', 'Ferret 4', 'Ferret 5', 'Ferret 6', 'Ferret 7'];
  for (const name of ferrets) await store.add({ name, categoryId: 9n });
  await store.add({ name: 'Black ferret', categoryId: 9n, status: 'sold' });
  await store.add({ name: 'Tom & Jerry', categoryId: 7n });
  await store.add({ name: '4', categoryId: 7n });
  await store.add({ name: 'A name that is too long for the screen of a phone', categoryId: 9223372036854775807n });
  ({ page } = await store.visit('/pets'));
});

const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const options = () => page.getByRole('listbox', { name: 'Animals found' }).getByRole('option');
const title = () => page.getByRole('heading', { level: 1 }).innerText();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Loads the list. */
async function load(): Promise<void> {
  await page.goto(store.url('/pets'));
  await heading('Animals').waitFor();
}

const search = (text: string) => field().fill(text);

/** Types as a hand scanner does: fast, with Enter at the end. */
async function scan(text: string): Promise<void> {
  await field().focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

const query = () => new URL(page.url()).search;

describe('finding by number', () => {
  it('opens the animal for a number and for the address of its page, and empties the field', async () => {
    for (const text of ['2', '002', '#2', 'http://192.168.1.5:3000/pets/2', 'https://other.example/pets/2']) {
      await scan(text);
      await expect.poll(title, { message: text }).toBe('Zoë');
      expect([text, new URL(page.url()).pathname, await field().inputValue()]).toEqual([text, '/pets/2', '']);
      await page.goBack();
      await heading('Animals').waitFor();
    }
  });

  it('finds by name the digits that are no number of an animal', async () => {
    await scan('2024');
    await heading('2024').waitFor();
    expect(new URL(page.url()).pathname).toBe('/pets/5');
  });

  it('lists all results when the number of an animal is the name of another one', async () => {
    await load();
    await scan('4');
    await heading('Results for “4”').waitFor();
    await page.getByText('1–3 of 3').waitFor();
    await scan('#4');
    await heading('Rex the Second').waitFor();
  });

  it.each([
    ['q=2', ['2024', 'Zoë']],
    ['q=12&category=9', ['Ferret 7']],
    ['q=12&status=sold', []],
  ])('a list of results has the animal with the number, if it matches the other filters: %s', async (filter, names) => {
    await page.goto(store.url(`/pets?${filter}`));
    const shown =
      names.length === 0
        ? page.getByRole('heading', { name: 'No animals found' })
        : page.getByText(`1–${names.length} of ${names.length}`);
    await shown.waitFor();
    const rows = await page.getByRole('main').getByRole('rowheader').allInnerTexts();
    expect(rows).toEqual(names.map((name) => expect.stringContaining(name) as string));
    await page.goto(store.url(`/export?${filter}`));
    await page.getByText(names.length === 1 ? '1 animal' : `${names.length} animals`, { exact: true }).waitFor();
  });
});

describe('finding by name', () => {
  it('suggests the newest animals, opened by arrow keys and Enter', async () => {
    const letGo = await holdRequests(page, /find-list/);
    await load();
    await search('rex');
    letGo();
    await options().first().waitFor();
    expect(await field().getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('link', { name: 'Add animal' }).click();
    await heading('Add animal').waitFor();
    await search('rex');
    await expect.poll(() => options().locator('> bdi').allInnerTexts()).toEqual(['Rex the Second', 'T-Rex', 'Rex']);
    expect(await options().locator('b').allInnerTexts()).toEqual(['Rex', 'Rex', 'Rex']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading('Rex the Second').waitFor();
  });

  it.each([
    ['ZOE', 'Zoë'],
    ['white fer', 'White ferret'],
  ])('opens by Enter the only animal that can be meant: %s', async (text, name) => {
    await scan(text);
    await heading(name).waitFor();
  });

  it('suggests categories before animals, and Enter on a name of a category opens its animals', async () => {
    await search('ferr');
    await options().getByText('Black ferret').first().waitFor();
    const first = options().first();
    expect(await first.innerText()).toContain('Ferrets');
    await first.click();
    await expect.poll(query).toBe('?category=9');
    await search('pigs');
    await options().getByText('Guinea pigs').waitFor();
    await search('');
    await scan('guinea PIGS');
    await expect.poll(query).toBe('?category=10');
  });

  it('asks when the person has stopped typing, not for each key', async () => {
    await search('');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('limit=8') && asked.push(new URL(request.url()).search));
    await field().pressSequentially('the second');
    await options().getByText('Rex the Second').waitFor();
    await expect.poll(() => asked.at(-1)).toContain('q=the%20second');
    // A busy machine may pause between two keys.
    expect(asked.length).toBeLessThan('the second'.length / 2);
    page.removeAllListeners('request');
    await search('');
  });

  it('shows the newest animals on a phone before a text', async () => {
    await search('');
    await page.setViewportSize({ width: 412, height: 900 });
    await field().click();
    await expect.poll(() => options().locator('> bdi').allInnerTexts()).toHaveLength(4);
    expect(await options().count()).toBe(4);
    await search('a name');
    const found = options().filter({ hasText: 'A name that is too long' });
    await found.getByText('Available').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

it('leaves out words without a letter or a digit, and says what to type if there is no other', async () => {
  await load();
  await scan('tom & -');
  await heading('Tom & Jerry').waitFor();
  await scan('&');
  const hint = page.getByRole('search').getByText('Type a letter or a number to search.');
  await hint.waitFor();
  expect(await options().count()).toBe(0);
  await page.keyboard.press('Shift+Enter');
  expect([await title(), await hint.isVisible()]).toEqual(['Tom & Jerry', true]);
  await page.goto(store.url('/pets?q=tom+%26'));
  await heading('Results for “tom”').waitFor();
  await page.getByText('1–1 of 1').waitFor();
});

it('a search for a number has each animal once, on the page where it belongs', async () => {
  for (let count = 0; count < 20; count += 1) await store.add({ name: `Box 12`, categoryId: 11n });
  await page.goto(store.url('/pets?q=12'));
  await page.getByText('1–20 of 21').waitFor();
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await page.getByText('21–21 of 21').waitFor();
  expect(await page.getByRole('main').getByRole('rowheader').allInnerTexts()).toEqual([
    expect.stringContaining('Ferret 7'),
  ]);
});

it('when the service cannot be reached, finding by number opens the page of the animal, and by name shows the error and a retry', async () => {
  await load();
  await page.context().route('**/v1/**', (route) => route.abort());
  await scan('77');
  await heading('Animal 77').waitFor();
  await page.getByRole('alert').getByText("Petstore doesn't answer").waitFor();
  await search('Rex');
  await page.getByText("Petstore doesn't answer. Search needs a connection to Petstore.").waitFor();
  expect(await page.getByText('No animal found').count()).toBe(0);
  await page.context().unroute('**/v1/**');
  await options().getByText('Try again').click();
  await options().getByText('T-Rex').waitFor();
  expect(failures.splice(0).filter((failure) => !failure.startsWith('failed: '))).toEqual([]);
});
