import type { NewPet, Pet } from '@petstore/client';
import { readRows } from '@petstore/import-export/rows.js';
import { blobSource } from '@petstore/import-export/source.js';
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
  const rows = [];
  for await (const row of readRows(blobSource(new Blob([new Uint8Array(await contentOf(download))])))) {
    rows.push('pet' in row ? row.pet : row.faults);
  }
  return rows;
}

/** The animals that an import creates of these: it trims their names. */
const imported = (exported: readonly Pet[]) =>
  exported.map(({ id: _id, name, ...pet }) => ({ name: name.trim().replaceAll(/\s+/g, ' '), ...pet }));

describe('the export', () => {
  it('has all animals of the filter, with any separator, which import as the same animals', async () => {
    await visit('/pets?status=sold');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('heading', { name: '110 animals' }).waitFor();
    expect(await preview.locator('tbody th').allTextContents()).toEqual(pets.slice(0, 8).map(({ name }) => name));
    await preview.getByText(/^and 102 more\./).waitFor();
    expect(await page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe(',');
    const sold = imported(pets.filter(({ status }) => status === 'sold'));
    for (const [separator, header] of [
      ['Comma (,)', 'id,name,categoryId,status'],
      ['Semicolon (;)', 'id;name;categoryId;status'],
      ['Tab', 'id\tname\tcategoryId\tstatus'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Separator' }).selectOption(separator);
      const download = await exportFile();
      await page.getByText('Exported 110 animals.').waitFor();
      expect(download.suggestedFilename()).toMatch(/^petstore-sold-\d{4}-\d{2}-\d{2}\.csv$/);
      expect((await contentOf(download)).toString().split('\r\n', 1)).toEqual([`\uFEFF${header}`]);
      expect(await importable(download), separator).toEqual(sold);
      const again = await downloadBy(page, () => button('Save the file again').click());
      expect(await importable(again), separator).toEqual(sold);
    }
  });

  it('saves no part of a file when it is canceled or the connection fails, and has no accessibility violations', async () => {
    await visit('/pets?limit=20');
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.route(/after=/, () => undefined);
    await button('Export').click();
    await page.getByText('100 of 130 animals.').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Export' }).getAttribute('value')).toBe('100');
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

it('a browser in de-DE starts with the separator of its spreadsheets', async () => {
  const german = await store.visit('/export', { locale: 'de-DE' });
  expect(await german.page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe(';');
});

it('the results of a search that are too many to count are exported all', async () => {
  await store.sql("INSERT INTO pet (name, category_id) SELECT 'Swarm ' || n, 5 FROM generate_series(1, 10001) n");
  await visit('/pets?q=swarm');
  await page.getByRole('heading', { name: 'More than 10,000 animals' }).waitFor();
  await page.getByText('and more.').waitFor();
  const file = await exportFile();
  await page.getByText('Exported 10,001 animals.').waitFor();
  expect((await contentOf(file)).toString().trim().split(/\r?\n/)).toHaveLength(10_002);
});
