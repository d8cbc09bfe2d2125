import { connect, execute } from '@petstore/processes/database.js';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
  const names = ['Rex', 'Zoë', 'T-Rex', 'Rex the Second', '2024'];
  for (const name of names) await store.add({ name, categoryId: 7n });
});
afterEach(() => page.close());
afterAll(() => store.close());

const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const options = () => page.getByRole('listbox', { name: 'Animals found' }).getByRole('option');
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function visit(path: string, width = 1280): Promise<void> {
  ({ page, failures } = await store.visit(path, { viewport: { width, height: 900 } }));
}

/** Types as a hand scanner does: fast, with Enter at the end. */
async function scan(text: string): Promise<void> {
  await field().focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

describe('finding by number', () => {
  it.each(['2', '002', '#2', 'http://192.168.1.5:3000/pets/2', 'https://other.example/pets/2'])(
    'opens the animal for %s, and empties the field',
    async (text) => {
      await visit('/pets');
      await scan(text);
      await heading('Zoë').waitFor();
      expect(new URL(page.url()).pathname).toBe('/pets/2');
      expect(await field().inputValue()).toBe('');
      expect(failures).toEqual([]);
    },
  );

  it('finds by name the digits that are no number of an animal', async () => {
    await visit('/pets/1');
    await scan('2024');
    await heading('2024').waitFor();
    expect(new URL(page.url()).pathname).toBe('/pets/5');
  });

  it('opens the page of the animal when the service cannot be reached, where the error can be read', async () => {
    await visit('/pets');
    await page.route('**/v1/**', (route) => route.abort());
    await scan('2');
    await heading('Animal 2').waitFor();
    await page.getByRole('alert').getByText('No connection').waitFor();
  });
});

describe('finding by name', () => {
  it('lists the best matches first, opened by arrow keys and Enter', async () => {
    await visit('/pets/new');
    await field().fill('rex');
    await expect.poll(() => options().locator('> bdi').allInnerTexts()).toEqual(['Rex', 'Rex the Second', 'T-Rex']);
    await page.getByText(/^Searched 5 animals, updated \d+:\d+/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading('Rex the Second').waitFor();
    expect(failures).toEqual([]);
  });

  it('lists sold animals last, finds words in any order, and says how many there are', async () => {
    await store.add({ name: 'White ferret', categoryId: 9n });
    await store.add({ name: 'Black ferret', categoryId: 9n });
    await store.add({ name: 'Black ferret', categoryId: 9n, status: 'sold' });
    await visit('/pets');
    await field().fill('ferret black');
    await expect
      .poll(() => options().locator('> span').allInnerTexts())
      .toEqual([expect.stringContaining('Available'), expect.stringContaining('Sold')]);
    for (let number = 1; number <= 5; number += 1) await store.add({ name: `Ferret ${number}`, categoryId: 9n });
    await page.getByRole('link', { name: 'Petstore' }).focus();
    await field().fill('ferret');
    await page.getByRole('search').getByText('6 of 8 animals found').waitFor();
    expect(failures).toEqual([]);
  });

  it('ignores case and accents, and opens the best match by Enter alone', async () => {
    await visit('/pets');
    await scan('ZOE');
    await heading('Zoë').waitFor();
  });

  it('finds an animal that was added since the last search', async () => {
    await visit('/pets');
    await field().fill('Newcomer');
    await page.getByRole('search').getByText('No animal found for “Newcomer”').waitFor();
    await store.add({ name: 'Newcomer', categoryId: 7n });
    await page.getByRole('link', { name: 'Petstore' }).focus();
    await field().fill('Newcome');
    await options().getByText('Newcomer').waitFor();
  });

  it('is two lines for each animal on a phone', async () => {
    await store.add({ name: 'A name that is too long for the screen of a phone', categoryId: 9223372036854775807n });
    await visit('/pets', 412);
    await field().fill('a name');
    const lineHeights = await options().evaluate((option) =>
      [...option.children].map(
        (line) => line.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(line).lineHeight),
      ),
    );
    expect(lineHeights.map((lines) => Math.round(lines))).toEqual([1, 1]);
  });

  it('shows why a search failed, and retries it', async () => {
    await visit('/pets');
    await page.context().route('**/v1/**', (route) => route.abort());
    await field().fill('Rex');
    await page.getByText('Searched 0 animals. No connection.').waitFor();
    await page.context().unroute('**/v1/**');
    await options().getByText('Try again').click();
    await options().getByText('T-Rex').waitFor();
  });
});

describe('an animal that is committed after animals with higher numbers is found', () => {
  const others = (count: number) =>
    execute(
      store.databaseUrl,
      `INSERT INTO pet (name, category_id) SELECT 'Other', 8 FROM generate_series(1, ${count})`,
    );

  /** Moves the focus into the search field, which reads what is new, and waits until it knows all animals. */
  async function refresh(): Promise<void> {
    await page.getByRole('link', { name: 'Petstore' }).focus();
    await field().fill('Other');
    const count = String(await store.count()).replace(/\B(?=\d{3}$)/, ',');
    await page.getByText(`Searched ${count} animals, updated`).waitFor();
  }

  async function find(name: string): Promise<void> {
    await page.getByRole('link', { name: 'Petstore' }).focus();
    await field().fill(name);
    await options().getByText(name, { exact: true }).waitFor();
  }

  it('within a thousand numbers', async () => {
    const latecomer = await insertUncommitted('First latecomer');
    await others(900);
    await visit('/pets');
    await refresh();
    await latecomer.commit();
    await find('First latecomer');
  });

  it('within a minute', async () => {
    await visit('/pets');
    await refresh();
    const latecomer = await insertUncommitted('Second latecomer');
    await others(1500);
    await refresh();
    await latecomer.commit();
    await find('Second latecomer');
  });
});

/** Inserts an animal in a transaction that stays open until `commit`. */
async function insertUncommitted(name: string): Promise<{ commit: () => Promise<void> }> {
  const connection = await connect(store.databaseUrl);
  await connection.query('BEGIN');
  await connection.query('INSERT INTO pet (name, category_id) VALUES ($1, 7)', [name]);
  const commit = async () => {
    await connection.query('COMMIT');
    await connection.end();
  };
  return { commit };
}
