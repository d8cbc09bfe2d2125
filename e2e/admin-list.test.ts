import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focus, violationsInAllLooks } from './support/accessibility.js';
import { focused, tabTo } from './support/keyboard.js';
import { failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 45 animals: 30 available, 15 sold. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(45, (number) => ({ status: number % 3 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});
/** Each test begins with this page, and with the list of all animals. */
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(store.url('/'));
  await page.waitForURL(/pets$/);
  await range('1–20 of 45');
});

const rows = (): Locator => page.locator('tbody tr');
const names = () => page.locator('tbody th').allInnerTexts();
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const size = () => page.getByRole('combobox', { name: 'Animals per page' });
const pages = () => page.getByRole('navigation', { name: 'Pages' });
const query = () => new URL(page.url()).search;
const at = (search: string) => page.waitForURL((url) => url.search === search);
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const scrolled = () =>
  page.evaluate(async () => {
    // The browser reports where it has scrolled to with the next frames.
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    return scrollY;
  });
async function scrollTo7(): Promise<number> {
  await link('Animal 7').scrollIntoViewIfNeeded();
  const place = await scrolled();
  expect(place).toBeGreaterThan(500);
  return place;
}
const press = (key: string) => page.keyboard.press(key);
const announced = () => page.locator('[role=status]').last().innerText();

it('is a table of the newest animals first, whose rows open the animals, with the count of each status', async () => {
  expect([await rows().count(), (await names()).slice(0, 2)]).toEqual([20, ['Animal 45', 'Animal 44']]);
  const headings = await page.getByRole('columnheader').allInnerTexts();
  expect(headings.map((text) => text.trim()).slice(1)).toEqual(['Number', 'Name', 'Category', 'Status']);
  for (const name of ['All 45', 'Available 30', 'Pending 0', 'Sold 15']) await link(name).waitFor();
  await rows().nth(1).getByText('Available').click({ force: true });
  await heading('Animal 44').waitFor();
  await page.goBack();
  await range('1–20 of 45');
});

it('has the status in the address, so that reload and Back work, and an animal leads back to it', async () => {
  await link(/^Sold/).click();
  await at('?status=sold');
  await range('1–15 of 15');
  await expect.poll(announced).toBe('15 sold animals');
  expect([(await names()).length, await pages().count()]).toEqual([15, 0]);
  expect(await page.locator('main nav [aria-current]').allInnerTexts()).toEqual(['Sold\n15']);
  await page.reload();
  await range('1–15 of 15');
  await link('Animal 42').click();
  await heading('Animal 42').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
  await at('?status=sold');
  await range('1–15 of 15');
  await link('Animal 24').focus();
  await page.goBack();
  await range('1–20 of 45');
  // Its row is gone.
  await focused(page, 'Animals');
  await link(/^Sold/).click();
  await link('Petstore').click();
  await at('');
  await range('1–20 of 45');
});

it('has the cursors in the address, so that reload and Back keep the page', async () => {
  expect(await link('Previous').getAttribute('aria-disabled')).toBe('true');
  for (const [text, name] of [
    ['21–40 of 45', 'Animal 25'],
    ['41–45 of 45', 'Animal 5'],
  ] as const) {
    await link('Next').press('Enter');
    await range(text);
    expect([(await names())[0], (await focus(page)).name]).toEqual([name, 'Next']);
  }
  expect(await link('Next').getAttribute('aria-disabled')).toBe('true');
  await page.reload();
  await range('41–45 of 45');
  await link('Previous').click();
  await range('21–40 of 45');
  await page.goBack();
  await range('41–45 of 45');
  await link('First page').click();
  await range('1–20 of 45');
});

it('shows 20, 50 or 100 animals per page, or more by default on a wide screen, from the first page and under a filter', async () => {
  await link('Next').click();
  await range('21–40 of 45');
  await size().focus();
  await size().selectOption('50');
  await range('1–45 of 45');
  expect([query(), (await focus(page)).name]).toEqual(['?limit=50', 'Animals per page']);
  await link(/^Sold/).click();
  await at('?limit=50&status=sold');
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto(store.url('/pets'));
  await range('1–45 of 45');
  expect(await size().inputValue()).toBe('50');
});

it('is sorted by the heading of the numbers, and keeps that order under a filter and on the next page', async () => {
  const sorted = page.getByRole('columnheader', { name: 'Number' });
  expect(await sorted.getAttribute('aria-sort')).toBe('descending');
  await sorted.getByRole('button').press('Enter');
  await at('?order=asc');
  await link('Animal 1').waitFor();
  await focused(page, 'Number');
  expect([await sorted.getAttribute('aria-sort'), (await names())[1]]).toEqual(['ascending', 'Animal 2']);
  await link('Next').click();
  await range('21–40 of 45');
  expect((await names())[0]).toBe('Animal 21');
  await link(/^Sold/).click();
  await range('1–15 of 15');
  expect((await names())[0]).toBe('Animal 3');
});

describe('the rows', () => {
  it('are one stop of the Tab key: arrows, Home and End move in them, Enter opens, Space selects', async () => {
    await link('Animal 44').focus();
    for (const [key, name] of [
      ['ArrowDown', 'Animal 43'],
      ['ArrowUp', 'Animal 44'],
      ['End', 'Animal 26'],
      ['ArrowDown', 'Animal 26'],
      ['Home', 'Animal 45'],
      ['ArrowDown', 'Animal 44'],
    ] as const) {
      await press(key);
      await focused(page, name);
    }
    await press('Tab');
    await focused(page, 'Animals per page');
    await tabTo(page, 'Animal 44', 'Shift+Tab');
    await press('Space');
    await page.getByRole('checkbox', { name: 'Select Animal 44', checked: true }).waitFor();
    await press('Escape');
    await press('Enter');
    await heading('Animal 44').waitFor();
  });

  it('keep their place, and the focus of the one that was opened: by Back, by the link "Animals", and over a reload', async () => {
    const back = [() => page.goBack(), () => page.getByRole('main').getByRole('link', { name: 'Animals' }).click()];
    await page.goto(store.url('/pets?limit=50'));
    const place = await scrollTo7();
    for (const goBack of back) {
      await link('Animal 7').click();
      await heading('Animal 7').waitFor();
      await expect.poll(scrolled).toBe(0);
      await goBack();
      await focused(page, 'Animal 7');
      await expect.poll(scrolled).toBe(place);
    }
    await page.reload();
    await range('1–45 of 45');
    await expect.poll(scrolled).toBe(place);
  });

  it('keep their place over a reload on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(store.url('/pets?limit=50'));
    const place = await scrollTo7();
    await page.reload();
    await range('1–45 of 45');
    await expect.poll(scrolled).toBe(place);
  });
});

describe('a list without rows', () => {
  const leads = async (path: string, title: string, way: string) => {
    await page.goto(store.url(path));
    await page.getByRole('heading', { level: 2, name: title }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await link(way).click();
    await range('1–20 of 45');
  };

  it('has the way to all animals', () =>
    leads('/pets?q=unicorn', 'No animals found for “unicorn”', 'Show all animals'));

  it('has the way to the results that another filter hides', async () => {
    await page.goto(store.url('/pets?q=animal&category=8'));
    await page.getByText('Search all animals, try fewer words, or another spelling.').waitFor();
    await link('Search all animals').click();
    await at('?q=animal');
  });

  it('has the way out of an invalid cursor', async () => {
    await leads('/pets?after=abcdefghijabcdefghij&page=3', "This page of the list isn't available", 'Show first page');
    expect(new Set(failures.splice(0))).toEqual(new Set(['400: GET /v1/pets']));
  });

  it('explains that the person may only add animals', async () => {
    const json = { code: 'insufficient_scope', message: 'This API key may not read.', status: 403 };
    await page.route('**/v1/pets?*', (route) => route.fulfill({ status: 403, json }));
    await page.goto(store.url('/pets?status=sold'));
    await page.getByRole('alert').getByRole('heading', { name: "You don't have permission to see animals" }).waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Add animal' }).click();
    await heading('Add animal').waitFor();
    await page.unroute('**/v1/pets?*');
    expect(new Set(failures.splice(0))).toEqual(new Set(['403: GET /v1/pets']));
  });
});
