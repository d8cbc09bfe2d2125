import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
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
  const guide = await main().innerText();
  expect(guide).toContain('nobody can change or delete an animal later');
  expect(guide).not.toMatch(/manager can|ask your manager\.\s+What to do/);
  await main().getByRole('link', { name: 'Print labels' }).click();
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Print labels');
  expect(await violationsInAllLooks(page)).toEqual([]);
});

it('the Overview has totals and a table of categories with one scale, whose numbers lead to their lists', async () => {
  await store.addNumbered(12, (number) => ({ status: number > 10 ? 'sold' : 'available' }));
  for (const name of ['Nemo', 'Dory']) await store.add({ name, categoryId: 8n, status: 'sold' });
  await store.add({ name: 'Bubbles', categoryId: 8n });
  ({ page } = await store.visit('/overview'));
  await total(/^All animals\s*15$/).waitFor();
  await total(/^Available\s*11$/).waitFor();
  await total(/^Pending\s*0$/).waitFor();

  const rows = async () =>
    (await main().getByRole('row').allInnerTexts()).map((row) =>
      row
        .trim()
        .split(/\s*[\t\n]\s*/)
        .join(' '),
    );
  // The service counts every 10 s: at first, it may show the animals of the file before.
  await expect.poll(rows).toEqual(['Category Available Pending Sold', 'Category 7 10 0 2', 'Category 8 1 0 2']);
  expect(await violationsInAllLooks(page)).toEqual([]);
  const parts = main().locator('tbody [data-status]');
  const shares = await parts.evaluateAll((all) => {
    const widthOf = (element: Element | null) => element?.getBoundingClientRect().width ?? 0;
    return all.map((part) => widthOf(part) / widthOf(part.parentElement));
  });
  // Of the twelve animals of category 7.
  const animals = [10, 0, 2, 1, 0, 2].map((count) => expect.closeTo(count, 1) as number);
  expect(shares.map((share) => share * 12)).toEqual(animals);

  await page.getByRole('link', { name: 'Category 8, sold: 2' }).click();
  await page.getByRole('link', { name: 'Dory' }).waitFor();
  expect(new URL(page.url()).search).toBe('?category=8&status=sold');
  await page.goBack();
  await total(/^Sold\s*4$/).click();
  await page.getByText('1–4 of 4').waitFor();
});

it('the totals of more than 1,000,000 animals are "More than 1,000,000"', async () => {
  ({ page } = await store.visit('/overview'));
  await page.route(/limit=1/, (route) =>
    route.fulfill({ json: [], headers: route.request().url().includes('pending') ? { 'x-total-count': '0' } : {} }),
  );
  await page.reload();
  await total(/^All animals\s*More than 1,000,000$/).waitFor();
  await total(/^Sold\s*More than 1,000,000$/).waitFor();
  await total(/^Pending\s*0$/).waitFor();
});
