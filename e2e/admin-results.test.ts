import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { focused } from './support/keyboard.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 30 rabbits, every third one sold; 5 fish, of which one is pending. */
beforeAll(async () => {
  store = await Store.open('7,Rabbits', '8,Fish', '9,Birds');
  await store.addNumbered(30, (number) => ({
    name: `Hoppel ${number}`,
    status: number % 3 === 0 ? 'sold' : 'available',
  }));
  await store.addNumbered(5, (number) => ({
    name: `Nemo ${number}`,
    categoryId: 8n,
    status: number === 1 ? 'pending' : 'available',
  }));
  ({ page } = await store.visit('/pets'));
});
beforeEach(async () => {
  await page.goto(store.url('/pets'));
  await range('1–20 of 35');
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const chips = () => page.getByRole('region', { name: 'Filters' }).getByRole('link').allInnerTexts();
const marked = () => page.locator('mark').allInnerTexts();
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const query = () => new URL(page.url()).search;

it('the results of a search have their words in the address, counts by status, pages and marks', async () => {
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('hoppel');
  await page.keyboard.press('Enter');
  await heading('Results for “hoppel”').waitFor();
  expect(query()).toBe('?q=hoppel');
  await range('1–20 of 30');
  expect(await marked()).toEqual(Array.from({ length: 20 }, () => 'Hoppel'));
  await link(/^Sold\s10$/).click();
  await range('1–10 of 10');
  await link(/^All\s30$/).click();
  await page.getByRole('link', { name: 'Next' }).click();
  await range('21–30 of 30');
});

it('the words and the categories are chips, each of which can be removed', async () => {
  await page.goto(store.url('/pets?q=2&category=7&category=8&status=available&order=asc'));
  await range('1–9 of 9');
  expect(await chips()).toEqual(['“2”', 'Rabbits', 'Fish', 'Clear all']);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await link('Remove filter Rabbits').press('Enter');
  await range('1–1 of 1');
  expect([await chips(), query()]).toEqual([
    ['“2”', 'Fish', 'Clear all'],
    '?q=2&category=8&status=available&order=asc',
  ]);
  await focused(page, 'Results for “2”');
  await link('Clear all').click();
  await range('1–20 of 24');
  expect([await chips(), await marked(), query()]).toEqual([[], [], '?status=available&order=asc']);
});

it('the choice of categories has their numbers of animals, can be searched, and stays in view', async () => {
  const choices = page.getByRole('dialog', { name: 'Category' }).getByRole('checkbox');
  const button = page.getByRole('button', { name: 'Category' });
  await page.setViewportSize({ width: 320, height: 640 });
  await button.press('Enter');
  await page.getByRole('checkbox', { name: 'Rabbits 30' }).waitFor();
  expect(await choices.count()).toBe(3);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.keyboard.type('fi');
  await expect.poll(() => choices.count()).toBe(1);
  await page.getByRole('checkbox', { name: 'Fish 5' }).check();
  await page.getByRole('textbox', { name: 'Find a category' }).fill('bir');
  await page.getByRole('checkbox', { name: 'Birds 0' }).check();
  await range('1–5 of 5');
  await page.keyboard.press('Escape');
  await focused(page, 'Category');
  expect([await chips(), query()]).toEqual([['Fish', 'Birds', 'Clear all'], '?category=8&category=9']);
});
