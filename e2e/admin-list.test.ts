import { setTimeout as sleep } from 'node:timers/promises';
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

async function visit(path: string): Promise<void> {
  ({ page, failures } = await store.visit(path));
  await rows().first().waitFor();
}

const rows = (): Locator => page.locator('tbody tr');
const names = () => page.locator('tbody th').allInnerTexts();
const link = (name: string | RegExp) => page.getByRole('link', { name });
const query = () => new URL(page.url()).search;
const at = (search: string) => page.waitForURL((url) => url.search === search);

describe('the list', () => {
  it('is a table of the newest animals first, with a link in each row', async () => {
    await visit('/pets');
    expect((await names()).slice(0, 2)).toEqual(['Animal 45', 'Animal 44']);
    expect(await rows().count()).toBe(20);
    await page.getByText('1–20 of 45').waitFor();
    const headings = await page.getByRole('columnheader').allInnerTexts();
    expect(headings).toEqual(['Number', 'Name', 'Category', 'Status']);
    // The link covers the whole row.
    await rows().nth(1).getByText('Available').click({ force: true });
    await page.getByRole('heading', { level: 1, name: 'Animal 44' }).waitFor();
    expect(failures).toEqual([]);
  });

  it('shows the count of each status', async () => {
    await visit('/pets');
    for (const name of ['All 45', 'Available 30', 'Pending 0', 'Sold 15']) await link(name).waitFor();
    expect(failures).toEqual([]);
  });

  it('has the status in the address, so that Back works', async () => {
    await visit('/pets');
    await link(/^Sold/).click();
    await at('?status=sold');
    await page.getByText('1–15 of 15').waitFor();
    expect(await names()).toHaveLength(15);
    expect(await page.locator('nav [aria-current]').allInnerTexts()).toEqual(['Sold\n15']);
    await page.reload();
    await page.getByText('1–15 of 15').waitFor();
    await page.goBack();
    await page.getByText('1–20 of 45').waitFor();
    expect(query()).toBe('');
    expect(failures).toEqual([]);
  });

  it('has the cursors in the address, so that reload, Back and links keep the page', async () => {
    await visit('/pets');
    expect(await link('Previous').getAttribute('aria-disabled')).toBe('true');
    await link('Next').click();
    await page.getByText('21–40 of 45').waitFor();
    expect((await names())[0]).toBe('Animal 25');
    await link('Next').click();
    await page.getByText('41–45 of 45').waitFor();
    expect(await link('Next').getAttribute('aria-disabled')).toBe('true');
    await page.reload();
    await page.getByText('41–45 of 45').waitFor();
    await link('Previous').click();
    await page.getByText('21–40 of 45').waitFor();
    expect((await names())[0]).toBe('Animal 25');
    await link('Previous').click();
    await page.getByText('1–20 of 45').waitFor();
    expect(query()).toBe('');
    for (const range of ['21–40', '41–45', '21–40']) {
      await page.goBack();
      await page.getByText(`${range} of 45`).waitFor();
    }
    const shared = await store.visit(new URL(page.url()).pathname + query());
    await shared.page.getByText('21–40 of 45').waitFor();
    await shared.page.close();
    expect(failures).toEqual([]);
  });

  it('ignores unknown values in the address', async () => {
    await visit('/pets?page=5&limit=7&status=lost&order=up');
    await page.getByText('1–20 of 45').waitFor();
    expect(await page.getByRole('combobox', { name: 'Animals per page' }).inputValue()).toBe('20');
    expect(await page.getByText(/Page 5/).count()).toBe(0);
    expect(failures).toEqual([]);
  });

  it('shows 50 or 100 animals per page, from the first page', async () => {
    await visit('/pets');
    await link('Next').click();
    await page.getByText('21–40 of 45').waitFor();
    const size = page.getByRole('combobox', { name: 'Animals per page' });
    await size.selectOption('50');
    await at('?limit=50');
    await page.getByText('1–45 of 45').waitFor();
    await link(/^Sold/).click();
    await at('?status=sold&limit=50');
    await size.focus();
    await size.selectOption('100');
    await at('?status=sold&limit=100');
    await page.getByText('1–15 of 15').waitFor();
    expect(await size.evaluate((node) => node === document.activeElement)).toBe(true);
    expect(failures).toEqual([]);
  });

  it('keeps its filter when the user returns from an animal', async () => {
    await visit('/pets?status=sold');
    await link('Animal 42').click();
    await page.getByRole('heading', { level: 1, name: 'Animal 42' }).waitFor();
    await link('Animals').click();
    await at('?status=sold');
    expect(failures).toEqual([]);
  });

  it('has a link out of an empty filter', async () => {
    ({ page, failures } = await store.visit('/pets?status=pending'));
    await page.getByRole('heading', { name: 'No pending animals' }).waitFor();
    await link('Show all animals').click();
    await page.getByText('1–20 of 45').waitFor();
    expect(failures).toEqual([]);
  });

  it('has a link out of an invalid cursor', async () => {
    ({ page, failures } = await store.visit('/pets?after=abcdefghijabcdefghij&page=3'));
    expect(await page.getByRole('alert').innerText()).toContain("This page of the list isn't available");
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await link('Show first page').click();
    await page.getByText('1–20 of 45').waitFor();
    expect(new Set(failures)).toEqual(new Set(['400: GET /v1/pets']));
  });

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

  it('refreshes when the window gets the focus, and shows its age', async () => {
    await visit('/pets?status=sold');
    await page.getByText('Updated just now').waitFor();
    await store.add({ name: 'Newcomer', categoryId: 1n, status: 'sold' });
    await sleep(1000);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await link('Newcomer').waitFor();
    await link('Sold 16').waitFor();
    expect(failures).toEqual([]);
  });
});
