import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const main = () => page.getByRole('main');
const total = (name: RegExp) => page.getByRole('region', { name: 'Totals' }).getByRole('link', { name });

it('the Overview of an empty store shows what to do', async () => {
  ({ page } = await store.visit('/overview'));
  await page.getByRole('heading', { name: 'Your store has no animals yet' }).waitFor();
  await main().getByRole('link', { name: 'Import animals' }).waitFor();
  await main().getByRole('link', { name: 'Add the first animal' }).waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  await main().getByRole('link', { name: 'Read the guide' }).click();
  await heading('Guide').waitFor();
  await main().getByRole('link', { name: 'Print labels' }).click();
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Print labels');
  expect(await violationsInAllLooks(page)).toEqual([]);
});

describe('the Overview', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number += 1) await store.add({ name: `Hoppel ${number}`, categoryId: 7n });
    for (const name of ['Nemo', 'Dory']) await store.add({ name, categoryId: 8n, status: 'sold' });
    await store.add({ name: 'Bubbles', categoryId: 8n });
    await page.goto(store.url('/overview'));
  });

  it('has totals that lead to their lists', async () => {
    await total(/^All animals\s*15$/).waitFor();
    await total(/^Available\s*13$/).waitFor();
    await total(/^Sold\s*2$/).click();
    await page.getByText('1–2 of 2').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await heading('Overview').waitFor();
  });

  it('has a table of categories, whose cells lead to their lists', async () => {
    const cells = (row: string) =>
      row
        .split(/\s*\t\s*|\n/)
        .join(' ')
        .trim();
    const rows = async () => (await main().getByRole('row').allInnerTexts()).map(cells);
    // The service counts every 10 s: at first, it may show the animals of the file before.
    await expect.poll(rows).toEqual(['Category Available Pending Sold', 'Category 7 12 0 0', 'Category 8 1 0 2']);
    await page.getByRole('link', { name: 'Category 8, sold: 2' }).click();
    await page.getByRole('link', { name: 'Dory' }).waitFor();
    expect(new URL(page.url()).search).toBe('?category=8&status=sold');
    await page.goBack();
  });

  it('has one bar per category, with one scale', async () => {
    const lengths = () =>
      main()
        .locator('tbody [data-status]')
        .evaluateAll((all) => all.map((part) => Math.round(Number.parseFloat((part as HTMLElement).style.inlineSize))));
    // Of the twelve animals of category 7.
    await expect.poll(lengths).toEqual([100, 0, 0, 8, 0, 17]);
  });

  it('has its totals in one line on a wide screen, a phone and paper', async () => {
    const numbers = page.getByRole('region', { name: 'Totals' }).locator('strong');
    for (const width of [1280, 412]) {
      await page.setViewportSize({ width, height: 900 });
      const places = await numbers.evaluateAll((all) => all.map((number) => number.getBoundingClientRect().bottom));
      expect([width, places.length, new Set(places).size]).toEqual([width, 4, 1]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ media: 'print' });
    for (const name of [/^All animals\s*15$/, /^Sold\s*2$/]) expect(await total(name).isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });

  it('lists the newest ten animals', async () => {
    const newest = page.getByRole('region', { name: 'Newest animals' });
    await newest.getByRole('link', { name: 'Bubbles' }).waitFor();
    expect(await newest.getByRole('listitem').count()).toBe(10);
  });
});
