import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseInListMenu } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 30 rabbits, every third one sold; 5 fish, of which one is pending. All tests use one page. */
beforeAll(async () => {
  store = await Store.open('7,Rabbits', '8,Fish', '9,Birds');
  for (let number = 1; number <= 30; number += 1) {
    await store.add({ name: `Hoppel ${number}`, categoryId: 7n, status: number % 3 === 0 ? 'sold' : 'available' });
  }
  for (let number = 1; number <= 5; number += 1) {
    await store.add({ name: `Nemo ${number}`, categoryId: 8n, status: number === 1 ? 'pending' : 'available' });
  }
  ({ page } = await store.visit('/pets'));
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const statusLink = (name: RegExp) => page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name });
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const query = () => new URL(page.url()).search;

describe('all results of a search', () => {
  it('open by Enter, with the words in the address, counts by status, and pages', async () => {
    await field().fill('hoppel');
    await page.keyboard.press('Enter');
    await heading('Results for “hoppel”').waitFor();
    expect(query()).toBe('?q=hoppel');
    await range('1–20 of 30');
    await statusLink(/^Sold\s10$/).click();
    await range('1–10 of 10');
    expect(await page.getByRole('row').count()).toBe(11);
    await statusLink(/^All\s30$/).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await range('21–30 of 30');
  });

  it('stand next to an animal: others of its category', async () => {
    await store.add({ name: 'hoppel 4', categoryId: 7n });
    await page.goto(store.url('/pets/4'));
    const others = page.getByRole('region', { name: 'Others of Rabbits' });
    await others.getByRole('link', { name: 'hoppel 4' }).waitFor();
    expect(await others.getByRole('rowheader').count()).toBe(5);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show all 21 available' }).click();
    await range('1–20 of 21');
  });

  it('can be none, with the way to all animals', async () => {
    await page.goto(store.url('/pets?q=unicorn'));
    await page.getByRole('heading', { name: 'No animals found for “unicorn”' }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
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
});

describe('what a page of results offers', () => {
  it('is exported: the animals of the words and the status, and no others', async () => {
    await page.goto(store.url('/pets?q=nemo&status=available'));
    await range('1–4 of 4');
    await chooseInListMenu(page, 'Export');
    const choice = page.getByRole('combobox', { name: 'Animals', exact: true });
    expect(await choice.locator('option:checked').innerText()).toBe('“nemo” · Available');
    await page.getByRole('radio', { name: 'CSV' }).check();
    const file = await downloadBy(page, () => page.getByRole('button', { name: 'Export' }).click());
    await page.getByText('Exported 4 animals. The browser').waitFor();
    const lines = (await contentOf(file)).toString().trim().split(/\r?\n/);
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Nemo 2', 'Nemo 3', 'Nemo 4', 'Nemo 5']);
    await choice.selectOption('Sold');
    await page.waitForURL(/export\?status=sold$/);
    await choice.selectOption('“nemo” · Available');
    expect(query()).toBe('?q=nemo&status=available');
  });

  it('gets labels', async () => {
    await page.goto(store.url('/pets?category=8'));
    await range('1–5 of 5');
    await chooseInListMenu(page, 'Print labels');
    const labels = page.getByRole('region', { name: 'Labels' });
    await labels.getByText('5 labels.').waitFor();
  });
});

it('the filter of a list is shown once: the status by its tab, categories by their button, the words by the heading, which can be cleared', async () => {
  await page.goto(store.url('/pets?q=2&category=7&category=8&status=available&order=asc'));
  await range('1–9 of 9');
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  const widths = page
    .getByRole('main')
    .getByRole('button', { name: /^(Clear search|Rabbits|Show the|Print and)/ })
    .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().width)));
  expect((await widths).map((width) => width >= 44)).toEqual([true, true, true, true]);
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const text of ['Available', 'Rabbits']) {
    const controls = page.getByRole('main').locator('a, button, h1').filter({ hasText: text });
    expect([text, await controls.filter({ hasNot: page.locator('bdi[translate]') }).count()]).toEqual([text, 1]);
  }
  await page.getByRole('button', { name: 'Clear search' }).press('Enter');
  await heading('Animals').waitFor();
  expect(query()).toBe('?category=7&category=8&status=available&order=asc');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Animals');
});

describe('the filter by category', () => {
  const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const choice = (name: string) => page.getByRole('checkbox', { name });

  it('lists names with their numbers of animals, can be searched, and takes several', async () => {
    await page.goto(store.url('/pets?limit=20'));
    await open('Category');
    await choice('Rabbits 31').waitFor();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(3);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Find a category' }).fill('fi');
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(1);
    await choice('Fish 5').check();
    await page.getByRole('textbox', { name: 'Find a category' }).fill('bir');
    await choice('Birds 0').check();
    await range('1–5 of 5');
    expect(query()).toBe('?category=8&category=9');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Fish and 1 more' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Fish and 1 more');
  });
});
