import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { failures } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

/** 45 animals: 30 available, 15 sold. All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(45, (number) => ({ status: number % 3 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});

const rows = (): Locator => page.locator('tbody tr');
const names = () => page.locator('tbody th').allInnerTexts();
const link = (name: string | RegExp) => page.getByRole('link', { name });
const size = () => page.getByRole('combobox', { name: 'Animals per page' });
const sorted = () => page.getByRole('columnheader', { name: 'Number' });
const query = () => new URL(page.url()).search;
const at = (search: string) => page.waitForURL((url) => url.search === search);
const focused = async () => (await focus(page)).name;
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();

describe('the list', () => {
  it('is a table of the newest animals first, with a link in each row, and the count of each status', async () => {
    await rows().first().waitFor();
    expect((await names()).slice(0, 2)).toEqual(['Animal 45', 'Animal 44']);
    expect(await rows().count()).toBe(20);
    await range('1–20 of 45');
    const headings = await page.getByRole('columnheader').allInnerTexts();
    expect(headings).toEqual(['Number', 'Name', 'Category', 'Status']);
    for (const name of ['All 45', 'Available 30', 'Pending 0', 'Sold 15']) await link(name).waitFor();
    // The link covers the whole row.
    await rows().nth(1).getByText('Available').click({ force: true });
    await page.getByRole('heading', { level: 1, name: 'Animal 44' }).waitFor();
    await page.goBack();
    await range('1–20 of 45');
  });

  it('has the status in the address, so that Back works, also from an animal', async () => {
    await link(/^Sold/).click();
    await at('?status=sold');
    await range('1–15 of 15');
    expect(await names()).toHaveLength(15);
    expect(await page.locator('main nav [aria-current]').allInnerTexts()).toEqual(['Sold\n15']);
    await page.reload();
    await range('1–15 of 15');
    await link('Animal 42').click();
    await page.getByRole('heading', { level: 1, name: 'Animal 42' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await at('?status=sold');
    await range('1–15 of 15');
    await page.goBack();
    await range('1–20 of 45');
    expect(query()).toBe('');
  });

  it('has the cursors in the address, so that reload and Back keep the page', async () => {
    expect(await link('Previous').getAttribute('aria-disabled')).toBe('true');
    await link('Next').click();
    await range('21–40 of 45');
    expect((await names())[0]).toBe('Animal 25');
    await link('Next').click();
    await range('41–45 of 45');
    expect(await link('Next').getAttribute('aria-disabled')).toBe('true');
    await page.reload();
    await range('41–45 of 45');
    await link('Previous').click();
    await range('21–40 of 45');
    expect((await names())[0]).toBe('Animal 25');
    await link('Previous').click();
    await range('1–20 of 45');
    expect(query()).toBe('');
    await page.goBack();
    await range('21–40 of 45');
  });

  it('moves the focus to the heading when Back removes the focused row', async () => {
    await page.goto(store.url('/pets'));
    await link(/^Sold/).click();
    await range('1–15 of 15');
    await link('Animal 24').focus();
    await page.goBack();
    await range('1–20 of 45');
    await expect.poll(focused).toBe('Animals');
  });

  it('restores the scroll position and focuses the row after Back and the link to the list from an animal', async () => {
    await page.goto(store.url('/pets?limit=50'));
    const scrolled = () => page.evaluate(() => scrollY);
    await link('Animal 7').scrollIntoViewIfNeeded();
    const place = await scrolled();
    expect(place).toBeGreaterThan(500);
    await link('Animal 7').click();
    for (const goBack of [
      () => page.goBack(),
      () => page.getByRole('main').getByRole('link', { name: 'Animals' }).click(),
    ]) {
      await page.getByRole('heading', { level: 1, name: 'Animal 7' }).waitFor();
      await expect.poll(scrolled).toBe(0);
      await goBack();
      await expect.poll(focused).toBe('Animal 7');
      await expect.poll(scrolled).toBe(place);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { level: 1, name: 'Animal 7' }).waitFor();
  });

  it.each([
    ['a wide screen', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 800 }],
  ])('keeps its page and its scroll position over a reload, on %s', async (_what, viewport) => {
    const { page: reloaded } = await store.visit('/pets', { viewport });
    await reloaded.getByRole('button', { name: 'Not now' }).click();
    await reloaded.getByRole('combobox', { name: 'Animals per page' }).selectOption('50');
    const place = () =>
      reloaded.evaluate(async () => {
        // What moves the rows does so in the next frames.
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
        return scrollY + (document.querySelector('[data-scroll-restoration-id]')?.scrollTop ?? 0);
      });
    await reloaded.getByText('1–45 of 45').waitFor();
    await reloaded.getByRole('link', { name: 'Animal 7', exact: true }).scrollIntoViewIfNeeded();
    const before = await place();
    expect(before).toBeGreaterThan(500);
    await reloaded.reload();
    await reloaded.getByText('1–45 of 45').waitFor();
    expect(await place()).toBe(before);
    await reloaded.close();
  });

  it('has a link out of an invalid cursor', async () => {
    await page.goto(store.url('/pets?after=abcdefghijabcdefghij&page=3'));
    expect(await page.getByRole('alert').innerText()).toContain("This page of the list isn't available");
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await link('Show first page').click();
    await range('1–20 of 45');
    expect(new Set(failures.splice(0))).toEqual(new Set(['400: GET /v1/pets']));
  });

  it('shows 50 or 100 animals per page, from the first page', async () => {
    await size().selectOption('50');
    await at('?limit=50');
    await range('1–45 of 45');
    await link(/^Sold/).click();
    await at('?status=sold&limit=50');
    await size().focus();
    await size().selectOption('100');
    await at('?status=sold&limit=100');
    await range('1–15 of 15');
    expect(await size().evaluate((node) => node === document.activeElement)).toBe(true);
    await size().selectOption('20');
    await at('?status=sold');
  });

  it('is sorted by a click on the heading of the numbers, and keeps that order under a filter and on the next page', async () => {
    await link(/^All/).click();
    await at('');
    expect(await sorted().getAttribute('aria-sort')).toBe('descending');
    await sorted().getByRole('button').click();
    await at('?order=asc');
    await link('Animal 1').first().waitFor();
    expect([await sorted().getAttribute('aria-sort'), (await names()).slice(0, 2)]).toEqual([
      'ascending',
      ['Animal 1', 'Animal 2'],
    ]);
    await link('Next').click();
    await range('21–40 of 45');
    expect((await names())[0]).toBe('Animal 21');
    await link(/^Sold/).click();
    await at('?status=sold&order=asc');
    await range('1–15 of 15');
    expect((await names())[0]).toBe('Animal 3');
  });

  it('remembers filter, page size and order on the device, unless the address names a list', async () => {
    await size().selectOption('50');
    await at('?status=sold&limit=50&order=asc');
    const tab = await page.context().newPage();
    const open = async (path: string) => {
      await tab.goto(store.url(`${path}#key=${key}`));
      await tab.getByText(/^1–/).waitFor();
      return new URL(tab.url()).search;
    };
    expect(await open('/')).toBe('?status=sold&limit=50&order=asc');
    expect(await open('/pets')).toBe('?status=sold&limit=50&order=asc');
    expect(await open('/pets?status=available')).toBe('?status=available');
    await tab.close();
    await link('Petstore').click();
    await at('?status=available');
    await link(/^All/).click();
    await at('');
    await page.reload();
    await range('1–20 of 45');
    expect(query()).toBe('');
  });

  it('has 50 animals per page above 1,440 px, unless the person or the address of a later page says otherwise', async () => {
    const { page: wide } = await store.visit('/pets', { viewport: { width: 1920, height: 1000 } });
    await wide.getByText('1–45 of 45').waitFor();
    const wideSize = wide.getByRole('combobox', { name: 'Animals per page' });
    expect([await wideSize.inputValue(), new URL(wide.url()).search]).toEqual(['50', '']);
    await wideSize.selectOption('20');
    await wide.getByText('1–20 of 45').waitFor();
    await wide.getByRole('link', { name: 'Next' }).click();
    await wide.getByText('21–40 of 45').waitFor();
    await wide.close();
  });

  it('asks for new animals when the window gets the focus', async () => {
    await link(/^Sold/).click();
    await range('1–15 of 15');
    await store.add({ name: 'Newcomer', categoryId: 1n, status: 'sold' });
    const refreshed = async () => {
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      return [await page.getByRole('button', { name: '1 new animal' }).count(), await link('Sold 16').count()];
    };
    await expect.poll(refreshed, { interval: 250 }).toEqual([1, 1]);
    await page.getByRole('button', { name: '1 new animal' }).click();
    await link('Newcomer').waitFor();
  });
});
