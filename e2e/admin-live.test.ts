import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
/** The requests of the page, except for its own files. */
let requests: string[];

beforeAll(async () => {
  store = await Store.open();
  await store.sql(`INSERT INTO pet (name, category_id, status)
    SELECT 'Animal ' || n, n % 5, (ARRAY['available', 'sold'])[1 + n % 2]::"PetStatus" FROM generate_series(1, 3000) n`);
});

async function openDevice(): Promise<void> {
  ({ page } = await openPage(store.browser));
  requests = [];
  page.on('request', (request) => {
    if (/\/v1\/|\.json/.test(request.url())) requests.push(new URL(request.url()).pathname);
  });
  await page.clock.install();
}

const open = (path: string) => page.goto(store.url(`${path}#key=${key}`));
const row = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

/** Lets time pass for the page until it shows something. */
async function shows(isShown: () => Promise<boolean>): Promise<void> {
  const check = async () => {
    await page.clock.runFor(1000);
    return isShown();
  };
  await expect.poll(check, { timeout: 30_000 }).toBe(true);
}

describe('a new device', () => {
  it.each(['/pets', '/overview', '/pets/2999', '/pets/new'])(
    'sends at most 40 requests in its first minute: %s',
    async (path) => {
      await openDevice();
      await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (let second = 0; second < 60; second += 1) await page.clock.runFor(1000);
      await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal 29');
      await page.clock.runFor(1000);
      await page.getByRole('option', { name: /^Animal 2999/ }).waitFor();
      expect(requests.length).toBeLessThanOrEqual(40);
      await page.close();
    },
  );
});

describe('what another device changes', () => {
  beforeAll(openDevice);

  it('waits above the list: no row moves until the person asks for the new animals', async () => {
    await open('/pets');
    const focused = row('Animal 2995');
    await focused.focus();
    const before = await focused.boundingBox();
    await store.add({ name: 'Newcomer', categoryId: 1n });
    await store.add({ name: 'Another', categoryId: 1n });
    const button = page.getByRole('button', { name: '2 new animals' });
    await shows(() => button.isVisible());
    expect([await focused.boundingBox(), await row('Newcomer').count()]).toEqual([before, 0]);
    await row('Animal 2981').waitFor();
    await button.click();
    await row('Newcomer').waitFor();
    await row('Another').waitFor();
    expect([await button.count(), await row('Animal 2981').count()]).toEqual([0, 0]);
  });

  it('changes the totals of the Overview', async () => {
    await open('/overview');
    const [{ count }] = (await store.sql('SELECT count(*)::int FROM pet')) as [{ count: number }];
    await store.add({ name: 'Visitor', categoryId: 77n });
    const total = page.getByRole('main').getByText((count + 1).toLocaleString('en'), { exact: true });
    await shows(() => total.first().isVisible());
  });

  it('changes the row and the record of an animal', async () => {
    await open('/pets?status=available');
    await row('Animal 2990').waitFor();
    await store.sql("UPDATE pet SET status = 'sold' WHERE id = 2990");
    await shows(async () => (await row('Animal 2990').count()) === 0);
    await row('Animal 2988').click();
    const status = page.locator('main span[data-status]').first();
    await expect.poll(() => status.innerText()).toBe('Available');
    await store.sql("UPDATE pet SET status = 'sold' WHERE id = 2988");
    await shows(async () => (await status.innerText()) === 'Sold');
  });

  it('changes a search, an oldest-first list and an empty list at once', async () => {
    await open('/pets?q=zebra');
    await page.getByRole('heading', { name: 'No animals found for “zebra”' }).waitFor();
    await store.add({ name: 'Zebra', categoryId: 1n });
    await shows(() => row('Zebra').isVisible());
    await page.goto(store.url('/pets?q=zebra&order=asc'));
    await row('Zebra').waitFor();
    await store.add({ name: 'Zebra 2', categoryId: 1n });
    await shows(() => row('Zebra 2').isVisible());
  });
});
