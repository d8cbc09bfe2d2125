import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations, violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { Store } from './support/store.js';

let directory: string;
let store: Store;
let page: Page;
let failures: string[];

/** 30 rabbits, every third one sold; 5 fish, of which one is pending. All tests use one page. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-results-'));
  const file = join(directory, 'categories.csv');
  await writeFile(file, 'number,name\n7,Rabbits\n8,Fish\n9,Birds\n');
  store = await Store.start({ CATEGORIES_FILE: file });
  for (let number = 1; number <= 30; number += 1) {
    await store.add({ name: `Hoppel ${number}`, categoryId: 7n, status: number % 3 === 0 ? 'sold' : 'available' });
  }
  for (let number = 1; number <= 5; number += 1) {
    await store.add({ name: `Nemo ${number}`, categoryId: 8n, status: number === 1 ? 'pending' : 'available' });
  }
  ({ page, failures } = await store.visit('/pets'));
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const statusLink = (name: RegExp) => page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name });
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const query = () => new URL(page.url()).search;

describe('all results of a search', () => {
  it('open by two keys, with the words in the address, counts by status, and pages', async () => {
    await field().fill('rabbits');
    await page.getByRole('option', { name: 'Show all 30' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await heading('Results for “rabbits”').waitFor();
    expect(query()).toBe('?q=rabbits');
    await range('1–20 of 30');
    await page.getByText(/^Searched 35 animals, updated \d+:\d+/).waitFor();
    await statusLink(/^Sold\s10$/).click();
    await range('1–10 of 10');
    expect(await page.getByRole('row').count()).toBe(11);
    await statusLink(/^All\s30$/).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await range('21–30 of 30');
    await page.getByRole('link', { name: 'Previous' }).click();
    await range('1–20 of 30');
  });

  it('of the available rabbits need two keys besides the letters', async () => {
    await page.goto(store.url('/overview'));
    await heading('Overview').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rabbits available');
    await page.keyboard.press('Shift+Enter');
    await range('1–20 of 20');
    await heading('Results for “rabbits available”').waitFor();
    await page.goto(store.url('/pets?q=rabbits'));
    await range('1–20 of 30');
  });

  it('lead to an animal, its neighbors, and back', async () => {
    await page.getByRole('combobox', { name: 'Order' }).selectOption('asc');
    await page.getByRole('link', { name: 'Hoppel 4' }).click();
    await heading('Hoppel 4').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await heading('Hoppel 5').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await heading('Results for “rabbits”').waitFor();
  });

  it('stand next to an animal: others of its category, and those with the same name', async () => {
    await store.add({ name: 'hoppel 4', categoryId: 7n });
    await page.goto(store.url('/pets/4'));
    const same = page.getByRole('region', { name: 'Same name' });
    await same.getByRole('link', { name: 'hoppel 4' }).waitFor();
    expect(await same.getByRole('row').allInnerTexts()).toEqual([
      'Number\tName\tStatus',
      expect.stringContaining('hoppel 4'),
    ]);
    expect(await page.getByRole('region', { name: 'Others of Rabbits' }).getByRole('rowheader').count()).toBe(8);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Show all 31' }).click();
    await range('1–20 of 31');
  });

  it('are found by the name of a category and a status together, also if the names arrive last', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/categories.json', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(store.url('/pets?q=fish+pending'));
    await page.getByRole('heading', { name: 'No animals found' }).waitFor();
    letGo();
    await page.getByRole('link', { name: 'Nemo 1' }).waitFor();
    await page.unrouteAll();
    await range('1–1 of 1');
  });

  it('can be none, with the way to all animals', async () => {
    await page.goto(store.url('/pets?q=unicorn'));
    await page.getByRole('heading', { name: 'No animals found for “unicorn”' }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'Show all animals' }).click();
    await heading('Animals').waitFor();
    await range('1–20 of 36');
  });

  it('can be none because of another filter, with the way to search all animals', async () => {
    await page.goto(store.url('/pets?q=nemo&status=sold'));
    await page.getByText('Search all animals, try fewer words, or another spelling.').waitFor();
    await page.getByRole('link', { name: 'Search all animals' }).click();
    await page.getByRole('link', { name: 'Nemo 1' }).waitFor();
  });

  it('contain an animal that was added since', async () => {
    await page.goto(store.url('/pets?q=newcomer'));
    await page.getByRole('heading', { name: 'No animals found for “newcomer”' }).waitFor();
    await store.add({ name: 'Newcomer', categoryId: 9n });
    await page.goto(store.url('/pets?q=newcomer'));
    await page.getByRole('link', { name: 'Newcomer' }).waitFor();
  });
});

describe('what a page of results offers', () => {
  it('is exported: the animals of the words and the status, and no others', async () => {
    await page.goto(store.url('/pets?q=fish&status=available'));
    await range('1–4 of 4');
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    const choice = page.getByRole('combobox', { name: 'Animals', exact: true });
    expect(await choice.locator('option:checked').innerText()).toBe('“fish” · Available');
    const file = await downloadBy(page, () => page.getByRole('button', { name: 'Export' }).click());
    await page.getByText('Exported 4 animals. The browser').waitFor();
    const lines = (await contentOf(file)).toString().trim().split(/\r?\n/);
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Nemo 2', 'Nemo 3', 'Nemo 4', 'Nemo 5']);
    await choice.selectOption('Sold');
    await page.waitForURL(/export\?status=sold$/);
    await choice.selectOption('“fish” · Available');
    expect(query()).toBe('?q=fish&status=available');
  });

  it('gets labels', async () => {
    await page.goto(store.url('/pets?category=8'));
    await range('1–5 of 5');
    await page.getByRole('link', { name: 'Print labels' }).click();
    const labels = page.getByRole('region', { name: 'Labels' });
    await labels.getByText('5 labels.').waitFor();
    expect(await labels.getByRole('listitem').locator('bdi:first-child').allInnerTexts()).toEqual(
      [1, 2, 3, 4, 5].map((number) => `Nemo ${number}`),
    );
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('the words above the list', () => {
  it('filter while the person types, and lead back to all animals when they are gone', async () => {
    await page.goto(store.url('/pets?status=available'));
    await page.getByText(/^1–20 of 2\d$/).waitFor();
    const words = page.getByRole('searchbox', { name: 'Filter this list' });
    await words.pressSequentially('nemo 3');
    await range('1–1 of 1');
    await heading('Results for “nemo 3”').waitFor();
    expect([query(), await words.inputValue()]).toEqual(['?q=nemo+3&status=available', 'nemo 3']);
    expect(await words.evaluate((input) => input === document.activeElement)).toBe(true);
    await words.fill('');
    await page.getByText(/^1–20 of 2\d$/).waitFor();
    await heading('Animals').waitFor();
    await page.goto(store.url('/pets?q=hoppel'));
    await page.getByText(/^1–20 of 3\d$/).waitFor();
    expect(await words.inputValue()).toBe('hoppel');
  });

  it('open the animal of a label that is scanned into them', async () => {
    for (const path of ['/pets', '/pets?q=hoppel']) {
      await page.goto(store.url(path));
      const words = page.getByRole('searchbox', { name: 'Filter this list' });
      await words.fill('');
      await words.pressSequentially('http://192.168.1.5:3000/pets/31');
      await page.keyboard.press('Enter');
      await heading('Nemo 1').waitFor();
      expect(new URL(page.url()).pathname).toBe('/pets/31');
    }
  });
});

describe('the parts of the filter above the list', () => {
  const chips = () => page.getByRole('list', { name: 'Filters' });
  const names = async () => (await chips().getByRole('button').allInnerTexts()).map((text) => text.trim());
  const focused = () => page.evaluate(() => document.activeElement?.textContent);

  it('are removed one by one, also by keys, or all at once', async () => {
    await page.goto(store.url('/pets?q=available&category=7&category=8&status=available&order=asc'));
    await range('1–20 of 25');
    expect(await names()).toEqual([
      'Words: available',
      'Category: Rabbits',
      'Category: Fish',
      'Status: Available',
      'Clear all',
    ]);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await chips().getByRole('button', { name: 'Remove Category: Rabbits' }).press('Enter');
    await range('1–4 of 4');
    expect([query(), await focused()]).toEqual([
      '?q=available&category=8&status=available&order=asc',
      'Category: Fish',
    ]);
    await chips().getByRole('button', { name: 'Remove Words: available' }).click();
    await expect.poll(query).toBe('?category=8&status=available&order=asc');
    await chips().getByRole('button', { name: 'Clear all' }).press('Enter');
    await heading('Animals').waitFor();
    expect([query(), await chips().count()]).toEqual(['?order=asc', 0]);
    await expect.poll(focused).toBe('Animals');
  });

  it('name what is new since a number, and a status of the whole list', async () => {
    await page.goto(store.url('/pets?since=34'));
    await range('1–3 of 3');
    expect(await names()).toEqual(['Added after number 34', 'Clear all']);
    await page.goto(store.url('/pets?status=sold'));
    await range('1–10 of 10');
    await chips().getByRole('button', { name: 'Remove Status: Sold' }).click();
    await expect.poll(query).toBe('');
  });
});

describe('a printed list', () => {
  it('has the rows with a box to tick, without the search field, filters and pages', async () => {
    await page.goto(store.url('/pets?q=nemo'));
    await range('1–5 of 5');
    await page.emulateMedia({ media: 'print' });
    for (const control of [field(), statusLink(/^All/), page.getByRole('link', { name: 'Next' })]) {
      expect(await control.isVisible()).toBe(false);
    }
    expect(
      await page
        .getByRole('cell', { name: 'Nemo 1' })
        .or(page.getByRole('rowheader', { name: 'Nemo 1' }))
        .isVisible(),
    ).toBe(true);
    const box = await page
      .locator('tbody td')
      .first()
      .evaluate((cell) => getComputedStyle(cell, '::before').borderTopWidth);
    expect(box).toBe('1px');
    await page.emulateMedia({ media: 'screen' });
  });
});

describe('the filter by category', () => {
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const choice = (name: string) => page.getByRole('checkbox', { name });

  it('lists names with their numbers of animals, can be searched, and takes several', async () => {
    await page.goto(store.url('/pets'));
    await open('Category');
    await choice('Rabbits 31').waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(3);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('textbox', { name: 'Find a category' }).fill('fi');
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(1);
    await choice('Fish 5').check();
    await page.getByRole('textbox', { name: 'Find a category' }).fill('bir');
    await choice('Birds 1').check();
    await range('1–6 of 6');
    expect(query()).toBe('?category=8&category=9');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Fish and 1 more' }).waitFor();
  });

  it('has counts that follow the other filters', async () => {
    await page.goto(store.url('/pets?category=7&status=sold'));
    await range('1–10 of 10');
    await open('Rabbits');
    await choice('Rabbits 10').waitFor();
    await choice('Fish 0').waitFor();
  });
});
