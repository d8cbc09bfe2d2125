import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
const folder = mkdtempSync(join(tmpdir(), 'petstore-categories-'));

beforeAll(async () => {
  const categories = join(folder, 'categories.csv');
  writeFileSync(categories, 'number,name\n9001,Rabbits\n9003,Dogs\n');
  store = await Store.start({ CATEGORIES_FILE: categories });
});
afterEach(() => page.close());
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });
const characters = () => page.getByLabel('Characters');
const header = () => page.getByRole('checkbox', { name: 'The first row has the names of the columns' });

async function choose(content: string | Uint8Array): Promise<void> {
  ({ page, failures } = await store.visit('/import'));
  await chooseImportFile(page, content);
  await step('Match the columns of delivery.csv').waitFor();
}

async function chooseAgain(content: string): Promise<void> {
  await button('Start over').click();
  await chooseImportFile(page, content);
}

/** The same table, with semicolons, as LibreOffice saves it in each encoding. */
const spreadsheet = (name: string) => readFileSync(new URL(`fixtures/spreadsheet/${name}.csv`, import.meta.url));

describe('a file of a spreadsheet', () => {
  it.each([
    ['utf-8', 'utf-8'],
    ['windows-1252', 'windows-1252'],
    ['utf-16', 'utf-16le'],
  ])('in %s is read without loss, and its German column names are recognized', async (name, encoding) => {
    await choose(spreadsheet(name));
    expect(await characters().inputValue()).toBe(encoding);
    await page.getByText('Kätzchen Müller · Žofka – „Prinz“ · Zoë').waitFor();
    expect(await page.getByLabel('Tiername').inputValue()).toBe('name');
    expect(await page.getByLabel('Kategorie').inputValue()).toBe('categoryId');
    expect(await page.getByLabel('Zustand').inputValue()).toBe('status');
    await button('Check rows').click();
    await step('3 animals ready to import').waitFor();
    expect(failures).toEqual([]);
  });

  it('can have statuses and categories as the admin shows them, and its wrong rows are corrected in place', async () => {
    await choose(spreadsheet('windows-1252'));
    expect(await violationsInAllLooks(page)).toEqual([]);
    await button('Check rows').click();
    await page.getByRole('row', { name: '5 Refused: The store has no category “abc”.' }).waitFor();
    const fraction = page.getByRole('row', { name: '6 Refused: Category number must be a whole number, not 7.5.' });
    expect(await fraction.locator('mark').allInnerTexts()).toEqual(['7.5']);
    await button('Correct row 5').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Rabbits');
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await button('Import 4 animals').click();
    await step('Import finished').waitFor();
    await page.getByText('4 added, 1 refused').waitFor();
    expect(await store.names(9001n)).toEqual(['Größe L', 'Kätzchen Müller']);
    expect(await store.names(9003n)).toEqual(['Zoë']);
    expect(await store.sql('SELECT status::text FROM pet WHERE category_id = 9002')).toEqual([{ status: 'sold' }]);
    expect(failures).toEqual([]);
  });

  it('shows what another choice of the characters gives', async () => {
    await choose(spreadsheet('utf-8'));
    await characters().selectOption('Windows (Western Europe)');
    await page.getByText('KÃ¤tzchen').waitFor();
    await characters().selectOption('UTF-8');
    await page.getByText('Kätzchen').waitFor();
    expect(failures).toEqual([]);
  });
});

it('a file without column names is noticed, and its first row becomes an animal', async () => {
  await choose('Rex,9004,available\nBella,9004,sold\n');
  expect(await header().isChecked()).toBe(false);
  await page.getByText('Rex · Bella').waitFor();
  await header().click();
  await page.getByText('Bella', { exact: true }).waitFor();
  await header().click();
  await button('Check rows').click();
  await button('Import 2 animals').click();
  await step('Import finished').waitFor();
  expect([await store.names(9004n), failures]).toEqual([['Bella', 'Rex'], []]);
});

it('a title above the column names is explained, as is a number with a thousands separator', async () => {
  await choose('Animals of 2026,,\nname,category,status\nRex,9001,\n');
  await page.getByText('If the first row is a title, delete it in the spreadsheet').waitFor();
  await chooseAgain('name,category\nRex,1.234\nBella,7.0\nMax,Rabbits (9001)\n');
  await button('Check rows').click();
  await page.getByText('not 1.234. If you mean 1234, write it so.').waitFor();
  await step('2 animals ready to import').waitFor();
  expect(failures).toEqual([]);
});

it('refused rows keep their columns, also if a row is too short or too long', async () => {
  await choose('name,category,status\nRex\nBella,9005,sold,extra\nMax,9005,sold\n');
  await button('Check rows').click();
  await page.getByRole('row', { name: '2 Refused: The row has 1 cell instead of 3.' }).waitFor();
  const saved = await downloadBy(page, () => button('Download refused rows').click());
  const rows = (await contentOf(saved)).toString().split('\r\n');
  expect(rows[1]).toMatch(/^Rex,,,2,/);
  expect(rows[2]).toMatch(/^Bella,9005,sold,3,.*,extra$/);
});
