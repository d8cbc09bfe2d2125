import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const main = () => page.getByRole('main');
const total = (name: RegExp) => page.getByRole('navigation', { name: 'Totals' }).getByRole('link', { name });

describe('the Overview of an empty store', () => {
  it('shows what to do', async () => {
    ({ page, failures } = await store.visit('/overview'));
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
});

describe('the Overview', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number += 1) await store.add({ name: `Hoppel ${number}`, categoryId: 7n });
    for (const name of ['Nemo', 'Dory']) await store.add({ name, categoryId: 8n, status: 'sold' });
    await store.add({ name: 'Bubbles', categoryId: 8n });
    await page.close();
    ({ page } = await store.visit('/overview'));
  });

  it('has totals that lead to their lists', async () => {
    await total(/^All animals\s*15$/).waitFor();
    await total(/^Available\s*13$/).waitFor();
    await total(/^Sold\s*2$/).click();
    await page.getByText('1–2 of 2').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await heading('Overview').waitFor();
  });

  it('has a table of categories, the most available first, whose cells lead to their lists', async () => {
    await main().getByRole('rowheader', { name: 'Category 8' }).waitFor();
    const rows = await main().getByRole('row').allInnerTexts();
    expect(
      rows.map((row) =>
        row
          .split(/\s*\t\s*|\n/)
          .join(' ')
          .trim(),
      ),
    ).toEqual(['Category Available Pending Sold', 'Category 7 12 0 0', 'Category 8 1 0 2']);
    await page.getByRole('link', { name: 'Category 8, sold: 2' }).click();
    await page.getByRole('link', { name: 'Dory' }).waitFor();
    expect(new URL(page.url()).search).toBe('?category=8&status=sold');
    await page.goBack();
  });

  it('has bars with one scale per status', async () => {
    const bars = main().locator('tbody tr').first().locator('[data-status]');
    const widths = () => bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.inlineSize));
    // Of the twelve available animals of category 7, the two sold ones of category 8, and no pending one.
    await expect.poll(widths).toEqual(['100%', '0%', '0%']);
    const second = main().locator('tbody tr').nth(1).locator('[data-status]');
    const lengths = await second.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.inlineSize));
    expect(lengths.map((length) => Math.round(Number.parseFloat(length)))).toEqual([8, 0, 100]);
  });

  it('lists the newest ten animals', async () => {
    const newest = page.getByRole('region', { name: 'Newest animals' });
    await newest.getByRole('link', { name: 'Bubbles' }).waitFor();
    expect(await newest.getByRole('listitem').count()).toBe(10);
  });

  it('counts what is new today and since the last visit, by any device, and leads to these animals', async () => {
    const openedAt = Date.now();
    await page.goto(store.url('/overview'));
    const news = page.getByRole('region', { name: 'New animals' });
    await news.getByText(/^Today, since/).waitFor();
    // The page notes the visit once it has read the store, which comes after the texts of an earlier visit.
    const storedVisits = () => page.evaluate(() => localStorage.getItem('petstore.visits') ?? '{}');
    const notedAt = async () => (JSON.parse(await storedVisits()) as { last?: { at: number } }).last?.at ?? 0;
    await expect.poll(notedAt).toBeGreaterThanOrEqual(openedAt);
    await store.add({ name: 'Newcomer', categoryId: 9n });
    // The visit was half an hour ago.
    await page.evaluate(() => {
      const visits = JSON.parse(localStorage.getItem('petstore.visits') ?? '{}') as { last: { at: number } };
      visits.last.at -= 31 * 60_000;
      localStorage.setItem('petstore.visits', JSON.stringify(visits));
    });
    await page.goto(store.url('/overview'));
    await news
      .getByRole('listitem')
      .filter({ hasText: 'Since your last visit' })
      .getByText('1', { exact: true })
      .waitFor();
    await news.getByRole('listitem').filter({ hasText: 'Today' }).getByText('1', { exact: true }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await news.getByRole('link', { name: /^Today/ }).click();
    await page.getByRole('heading', { level: 1, name: /^New since \d+:\d+/ }).waitFor();
    await page.getByRole('link', { name: 'Newcomer' }).waitFor();
    await page.getByText('1–1 of 1').waitFor();
    await page.goto(store.url('/pets?since=14'));
    await heading('Added after number 14').waitFor();
    await page.goto(store.url('/overview'));
    await news.getByRole('link', { name: /^Print labels: Today/ }).click();
    await page.getByRole('region', { name: 'Labels' }).getByText('1 label.').waitFor();
    await page.goBack();
    await news.getByRole('link', { name: /^Export: Since your last visit/ }).click();
    const file = await downloadBy(page, () => page.getByRole('button', { name: 'Export' }).click());
    expect((await contentOf(file)).toString()).toContain('16,Newcomer,9,available');
  });

  it('says when the service does not answer, and tries again', async () => {
    await page.context().route('**/v1/**', (route) => route.abort());
    await page.goto(store.url('/overview'));
    const problem = page.getByRole('alert');
    await problem.getByText("Petstore doesn't answer").waitFor();
    await page.context().unroute('**/v1/**');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await total(/^All animals\s*16$/).waitFor();
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Category 9, available: 1' }).waitFor();
    expect(failures.splice(0).filter((failure) => !failure.startsWith('failed: '))).toEqual([]);
  });
});
