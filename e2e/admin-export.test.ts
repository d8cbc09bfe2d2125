import type { NewPet, Pet } from '@petstore/client';
import { checkRows } from '@petstore/import-export/check-rows.js';
import { columnOf } from '@petstore/import-export/pet-columns.js';
import { readTable } from '@petstore/table/read-table.js';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseInListMenu, failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
/** The animals of the store, oldest first. */
let pets: Pet[];

const formulas = ['=SUM(A1)', '@SUM(A1)', '+5', '-5', '\tx', '\rx', "'x", "''x"];
const names = [...formulas, 'Zoë, "the" first', '"', 'a;b\tc', 'two\nlines', 'two\r\nlines', 'x\r', '🐈', ' spaces '];

/** 110 sold, 10 pending and 10 available animals. The sold ones and the others begin with the names above. */
function newPet(number: number): NewPet {
  const name = names[number % 110] ?? `Animal ${number}`;
  return {
    name,
    categoryId: 9223372036854775807n,
    status: number < 110 ? 'sold' : number < 120 ? 'pending' : 'available',
  };
}

beforeAll(async () => {
  store = await Store.open();
  const numbers = Array.from({ length: 130 }, (_, number) => number);
  const added = await Promise.all(numbers.map((number) => store.add(newPet(number))));
  pets = added.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  ({ page } = await store.visit('/pets', { locale: 'en-US' }));
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Opens the page from the list, as staff do. */
async function visit(list: string): Promise<void> {
  await page.goto(store.url(list));
  await chooseInListMenu(page, 'Export');
  await page.getByRole('heading', { level: 1, name: 'Export animals' }).waitFor();
}

const exportFile = () => downloadBy(page, () => button('Export').click());

/** What an import of the file would create. */
async function importable(download: Download): Promise<unknown[]> {
  const table = await readTable(await contentOf(download));
  const columns = table.rows[0]?.cells.map(columnOf) ?? [];
  const rows = checkRows(table, { titleRows: 0, hasHeader: true, columns, categories: [] });
  return Array.from(rows, ({ row: _row, ...animal }) => animal);
}

/** The animals that an import creates of these: it trims their names. */
const imported = (exported: readonly Pet[]) =>
  exported.map(({ id: _id, name, ...pet }) => ({ name: name.trim().replaceAll(/\s+/g, ' '), ...pet }));

describe('the export', () => {
  it('has all animals of the filter, in Excel or CSV, which import as the same animals', async () => {
    await visit('/pets?status=sold');
    await page.getByText('110 animals', { exact: true }).waitFor();
    expect(await page.getByRole('radio', { name: 'Excel (.xlsx)' }).isChecked()).toBe(true);
    const sold = imported(pets.filter(({ status }) => status === 'sold'));
    for (const [format, ending, start] of [
      ['Excel (.xlsx)', 'xlsx', 'PK\u0003\u0004'],
      ['CSV', 'csv', '\uFEFFid,name,categoryId,status'],
    ] as const) {
      await page.getByRole('radio', { name: format }).check();
      const download = await exportFile();
      await page.getByRole('alert').getByText('Exported 110 animals').waitFor();
      expect(download.suggestedFilename()).toMatch(new RegExp(`^petstore-sold-\\d{4}-\\d{2}-\\d{2}\\.${ending}$`));
      expect((await contentOf(download)).toString().slice(0, start.length)).toBe(start);
      expect(await importable(download), format).toEqual(sold);
      const again = await downloadBy(page, () => button('Save the file again').click());
      expect(await importable(again), format).toEqual(sold);
    }
    await page.getByLabel('Animals', { exact: true }).selectOption('All animals');
    await button('Save the file again').waitFor({ state: 'detached' });
  });

  it('saves no part of a file when it is canceled or the connection fails, and has no accessibility violations', async () => {
    await visit('/pets?limit=20');
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.route(/after=/, () => undefined);
    await button('Export').click();
    await page.getByText('100 of 130 animals').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Export' }).getAttribute('aria-valuenow')).toMatch(/^76\.9/);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Cancel').click();
    await page.getByText('Export canceled. No file was saved.').waitFor();
    expect([downloads, failures]).toEqual([[], []]);
    await page.unroute(/after=/);

    await page.route(/after=/, (route) => route.abort());
    await button('Export').click();
    await page.getByRole('alert').getByText('No file was saved.').waitFor();
    expect([downloads, failures.splice(0).length > 0]).toEqual([[], true]);
    await page.unroute(/after=/);
    expect(await importable(await exportFile())).toEqual(imported(pets));
    expect(await violationsInAllLooks(page)).toEqual([]);
  });
});

it('the results of a search that are too many to count are exported all', async () => {
  await store.sql("INSERT INTO pet (name, category_id) SELECT 'Swarm ' || n, 5 FROM generate_series(1, 250) n");
  // The service omits these headers above 10,000 matches.
  await page.route(/v1\/pets\?.*q=swarm/, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const response = await route.fetch({ url: `${store.service.url}${pathname}${search}` });
    const { 'x-total-count': _total, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await visit('/pets?q=swarm');
  await page.getByText('More than 10,000 animals').waitFor();
  const file = await exportFile();
  await page.getByRole('alert').getByText('Exported 250 animals').waitFor();
  expect(await importable(file)).toHaveLength(250);
  await page.unroute(/v1\/pets\?.*q=swarm/);
});

it('an Excel file of more than 100,000 animals is refused at once, and CSV is named', async () => {
  await store.sql("INSERT INTO pet (name, category_id) SELECT 'Flock ' || n, 6 FROM generate_series(1, 100000) n");
  await visit('/pets');
  await page.getByText(/^1\d\d,\d+ animals$/).waitFor();
  await button('Export').click();
  await page.getByRole('alert').getByText('at most 100,000 animals. Export them as CSV.').waitFor();
  await page.getByRole('radio', { name: 'CSV' }).check();
  expect(await page.getByRole('alert').count()).toBe(0);
});
