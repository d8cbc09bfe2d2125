import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
/** The keys that were pressed in addition to the text. */
let otherKeys: string[];

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 60; number += 1) await store.add({ name: `Animal ${number}`, categoryId: 7n });
});
beforeEach(async () => {
  otherKeys = [];
  ({ page } = await store.visit('/pets'));
  await page.getByRole('link', { name: 'Animal 60' }).waitFor();
});
afterEach(() => page.close());
afterAll(() => store.close());

const type = (text: string) => page.keyboard.type(text);
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const justAdded = (count: number) => page.getByRole('heading', { name: `Just added (${count})` }).waitFor();

async function press(key: string): Promise<void> {
  otherKeys.push(key);
  await page.keyboard.press(key);
}

describe('from the list, the keys in addition to the text are', () => {
  it('one to open an animal by its number', async () => {
    await type('57');
    await press('Enter');
    await heading('Animal 57');
    expect(otherKeys).toEqual(['Enter']);
  });

  it('two to open an animal by its name', async () => {
    await press('/');
    await type('animal 57');
    await press('Enter');
    await heading('Animal 57');
    expect(otherKeys).toEqual(['/', 'Enter']);
  });

  it('twelve to add ten animals: one for each further animal', async () => {
    await press('c');
    await heading('Add animal');
    await type('New 1');
    await press('Tab');
    await type('7');
    await press('Enter');
    await justAdded(1);
    for (let count = 2; count <= 10; count += 1) {
      await type(`New ${count}`);
      await press('Enter');
      await justAdded(count);
    }
    expect(otherKeys.join(' ')).toBe(`c Tab${' Enter'.repeat(10)}`);
    expect((await store.newest()).name).toBe('New 10');
  });
});
