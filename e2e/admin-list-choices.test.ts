import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 45 animals: 30 available, 15 sold. */
beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 45; number += 1) {
    await store.add({
      name: `Animal ${number}`,
      categoryId: BigInt(number),
      status: number % 3 === 0 ? 'sold' : 'available',
    });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string, width = 1280): Promise<void> {
  ({ page, failures } = await store.visit(path, { viewport: { width, height: 900 } }));
  await rows().first().waitFor();
}

const rows = (): Locator => page.locator('tbody tr, main li');
const pageSize = () => page.getByRole('combobox', { name: 'Animals per page' });
const names = () => page.locator('tbody th, main li a').allInnerTexts();
const link = (name: string | RegExp) => page.getByRole('link', { name });
const query = () => new URL(page.url()).search;
const at = (search: string) => page.waitForURL((url) => url.search === search);

describe('the list', () => {
  it('can show the oldest animals first, and keeps that order under a filter and on the next page', async () => {
    await visit('/pets');
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
    await at('?order=asc');
    await link('Animal 1').first().waitFor();
    expect((await names()).slice(0, 2)).toEqual(['Animal 1', 'Animal 2']);
    await link('Next').click();
    await page.getByText('21–40 of 45').waitFor();
    expect((await names())[0]).toBe('Animal 21');
    await link(/^Sold/).click();
    await at('?status=sold&order=asc');
    await page.getByText('1–15 of 15').waitFor();
    expect((await names())[0]).toBe('Animal 3');
    expect(failures).toEqual([]);
  });

  it('remembers filter, page size and order on the device, unless the address names a list', async () => {
    await visit('/pets?status=sold&limit=50&order=asc');
    const open = async (path: string) => {
      const tab = await page.context().newPage();
      await tab.goto(store.url(`${path}#key=${key}`));
      await tab.getByText(/^1–/).waitFor();
      const { search } = new URL(tab.url());
      await tab.close();
      return search;
    };
    expect(await open('/')).toBe('?status=sold&limit=50&order=asc');
    expect(await open('/pets')).toBe('?status=sold&limit=50&order=asc');
    expect(await open('/pets?status=available')).toBe('?status=available');
    await link('Petstore').click();
    await at('?status=available');
    await link(/^All/).click();
    await at('');
    await page.reload();
    await page.getByText('1–20 of 45').waitFor();
    expect(query()).toBe('');
    expect(failures).toEqual([]);
  });

  it('has compact rows for a mouse, and keeps toolbar, headings and pages visible', async () => {
    await visit('/pets?limit=50');
    const height = await rows()
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);
    expect(height).toBeGreaterThanOrEqual(36);
    expect(height).toBeLessThanOrEqual(40);
    await page.evaluate(() => scrollTo(0, 600));
    const parts = [link('Petstore'), link(/^Sold/), page.getByRole('columnheader', { name: 'Name' }), pageSize()];
    for (const part of parts) {
      // Playwright scrolls to an element that is covered or out of view.
      await part.click({ trial: true, timeout: 5000 });
    }
    expect(await page.evaluate(() => scrollY)).toBe(600);
    expect(failures).toEqual([]);
  });
});
