import { connect, execute } from '@petstore/processes/database.js';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  const names = ['Rex', 'Zoë', 'T-Rex', 'Rex the Second', '2024'];
  for (const name of names) await store.add({ name, categoryId: 7n });
  const ferrets = ['White ferret', 'Black ferret', 'Ferret 1', 'Ferret 2', 'Ferret 3', 'Ferret 4', 'Ferret 5'];
  for (const name of ferrets) await store.add({ name, categoryId: 9n });
  await store.add({ name: 'Black ferret', categoryId: 9n, status: 'sold' });
  await store.add({ name: 'A name that is too long for the screen of a phone', categoryId: 9223372036854775807n });
  ({ page, failures } = await store.visit('/pets'));
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const options = () => page.getByRole('listbox', { name: 'Animals found' }).getByRole('option');
const title = () => page.getByRole('heading', { level: 1 }).innerText();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

/** Loads the list. The next search is the first one, which shows its result only when it has read the whole store. */
async function load(): Promise<void> {
  await page.goto(store.url('/pets'));
  await heading('Animals').waitFor();
}

/** Moves the focus into the field, which reads what is new in the store. */
async function search(text: string): Promise<void> {
  await field().blur();
  await field().fill(text);
}

/** Types as a hand scanner does: fast, with Enter at the end. */
async function scan(text: string): Promise<void> {
  await field().focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

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
    await scan('1');
    await heading('Rex').waitFor();
    await scan('2024');
    await heading('2024').waitFor();
    expect(new URL(page.url()).pathname).toBe('/pets/5');
  });
});

describe('finding by name', () => {
  it('lists the best matches first, opened by arrow keys and Enter', async () => {
    await page.keyboard.press('c');
    await heading('Add animal').waitFor();
    await search('rex');
    await expect.poll(() => options().locator('> bdi').allInnerTexts()).toEqual(['Rex', 'Rex the Second', 'T-Rex']);
    await page.getByText(/^Searched 14 animals, updated \d+:\d+/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading('Rex the Second').waitFor();
  });

  it('ignores case and accents, and opens the best match by Enter alone', async () => {
    await scan('ZOE');
    await heading('Zoë').waitFor();
  });

  it('lists sold animals last, finds words in any order, and says how many there are', async () => {
    await search('ferret black');
    await expect
      .poll(() => options().locator('> span').allInnerTexts())
      .toEqual([expect.stringContaining('Available'), expect.stringContaining('Sold')]);
    await search('ferret');
    await options().getByText('Show all 8').waitFor();
  });

  it('is two lines for each animal on a phone', async () => {
    await page.setViewportSize({ width: 412, height: 900 });
    await search('a name');
    const lineHeights = await options()
      .filter({ hasText: 'A name that is too long' })
      .evaluate((option) =>
        [...option.children].map(
          (line) => line.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(line).lineHeight),
        ),
      );
    expect(lineHeights.map((lines) => Math.round(lines))).toEqual([1, 1]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('finds an animal that was added since the last search', async () => {
    await load();
    await search('Newcomer');
    await page.getByRole('search').getByText('No animal found for “Newcomer”').waitFor();
    await store.add({ name: 'Newcomer', categoryId: 7n });
    await search('Newcome');
    await options().getByText('Newcomer').waitFor();
  });
});

describe('when the service cannot be reached', () => {
  it('finding by number opens the page of the animal, and by name shows the error and a retry', async () => {
    await load();
    await page.context().route('**/v1/**', (route) => route.abort());
    await scan('77');
    await heading('Animal 77').waitFor();
    await page.getByRole('alert').getByText("Petstore doesn't answer").waitFor();
    await search('Rex');
    await page.getByText("Petstore doesn't answer. Names can't be searched now.").waitFor();
    expect(await page.getByText('No animal found').count()).toBe(0);
    await page.context().unroute('**/v1/**');
    await options().getByText('Try again').click();
    await options().getByText('T-Rex').waitFor();
    expect(failures.splice(0).filter((failure) => !failure.startsWith('failed: '))).toEqual([]);
  });
});

describe('an animal that is committed after animals with higher numbers is found', () => {
  const others = (count: number) =>
    execute(
      store.databaseUrl,
      `INSERT INTO pet (name, category_id) SELECT 'Other', 8 FROM generate_series(1, ${count})`,
    );

  /** Waits until the search field knows all animals. */
  async function refresh(): Promise<void> {
    await search('Other');
    const count = String(await store.count()).replace(/\B(?=\d{3}$)/, ',');
    await page.getByText(`Searched ${count} animals, updated`).waitFor();
  }

  async function find(name: string): Promise<void> {
    await search(name);
    await options().getByText(name, { exact: true }).waitFor();
  }

  it('within a thousand numbers', async () => {
    const latecomer = await insertUncommitted('First latecomer');
    await others(900);
    await load();
    await refresh();
    await latecomer.commit();
    await find('First latecomer');
  });

  it('within a minute', async () => {
    await load();
    await refresh();
    const latecomer = await insertUncommitted('Second latecomer');
    await others(1500);
    await refresh();
    await latecomer.commit();
    await find('Second latecomer');
  });
});

/** Inserts an animal in a transaction that stays open until `commit`, or until the test ends. */
async function insertUncommitted(name: string): Promise<{ commit: () => Promise<unknown> }> {
  const connection = await connect(store.databaseUrl);
  onTestFinished(() => connection.end());
  await connection.query('BEGIN');
  await connection.query('INSERT INTO pet (name, category_id) VALUES ($1, 7)', [name]);
  return { commit: () => connection.query('COMMIT') };
}
