import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Store } from './support/store.js';

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
const names = () => page.locator('tbody th, main li a').allInnerTexts();
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

  it('shows cards on a phone, with name, status and number in view', async () => {
    await visit('/pets', 412);
    expect(await page.getByRole('table').count()).toBe(0);
    const card = page.getByRole('listitem').first();
    for (const part of [card.getByRole('link'), card.getByText('Sold'), card.getByText(/Number \d+/)]) {
      const box = await part.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 412).toBe(true);
    }
    expect(failures).toEqual([]);
  });
});

it('uses the color scheme of the device, or the chosen one after a reload', async () => {
  ({ page, failures } = await store.visit('/pets', { colorScheme: 'dark' }));
  const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark');
  const theme = async (name: string) => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await page.keyboard.press('Escape');
  };
  await expect.poll(isDark).toBe(true);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(isDark).toBe(false);
  await theme('Dark theme');
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await isDark()).toBe(true);
  await theme('System theme');
  await expect.poll(isDark).toBe(false);
  expect(failures).toEqual([]);
});
