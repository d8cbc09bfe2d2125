import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { violations } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 30 available animals, and 1,000 pending ones of category 1. All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.sql(`INSERT INTO pet (name, category_id, status)
    SELECT 'Animal ' || number, 2, 'available' FROM generate_series(1, 30) AS number`);
  await store.sql(`INSERT INTO pet (name, category_id, status)
    SELECT 'Many ' || number, 1, 'pending' FROM generate_series(1, 1000) AS number`);
  ({ page, failures } = await store.visit('/pets'));
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

/** Loads a list. */
async function open(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.locator('tbody tr').nth(19).waitFor();
}

describe('the list on paper', () => {
  /** Counts the print windows. The browser of the tests has none. */
  async function recordPrints(): Promise<void> {
    await page.evaluate(() => {
      let prints = 0;
      window.print = () => void (prints += 1);
      Object.defineProperty(globalThis, 'prints', { configurable: true, get: () => prints });
    });
  }
  const prints = () => page.evaluate(() => (globalThis as unknown as { prints: number }).prints);
  const sheet = () => page.getByRole('region', { name: 'Printed list', includeHidden: true });
  const endPrint = () => page.evaluate(() => dispatchEvent(new Event('afterprint')));

  it('has the animals of all pages of the filter with a box each, without search and pages', async () => {
    await open('/pets?status=available');
    await recordPrints();
    await page.getByRole('button', { name: 'Print list' }).click();
    await expect.poll(prints).toBe(1);
    await page.emulateMedia({ media: 'print' });
    await sheet().getByText('Animals: Available').waitFor();
    await sheet()
      .getByText(/^30 animals on .*\d{4}/)
      .waitFor();
    const printed = sheet().locator('tbody tr');
    expect([await printed.count(), await printed.first().isVisible()]).toEqual([30, true]);
    const box = await printed
      .first()
      .locator('td')
      .first()
      .evaluate((cell) => getComputedStyle(cell, '::before').width);
    expect(Number.parseFloat(box)).toBeGreaterThan(10);
    for (const part of [
      page.getByRole('combobox', { name: 'Find an animal' }),
      page.locator('header'),
      page.locator('main'),
    ])
      expect(await part.isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await endPrint();
    await expect.poll(() => sheet().count()).toBe(0);
  });

  it('has at most 1,000 animals, says so, and is what Ctrl-P prints', async () => {
    await page.keyboard.press('Control+p');
    await expect.poll(prints).toBe(2);
    await expect.poll(() => sheet().locator('tbody tr').count()).toBe(30);
    await endPrint();
    await open('/pets?limit=20');
    await recordPrints();
    await page.keyboard.press('Control+p');
    await expect.poll(prints).toBe(1);
    await page.emulateMedia({ media: 'print' });
    await sheet()
      .getByText(/^1,030 animals on .* Only the first 1,000 are printed\.$/)
      .waitFor();
    expect(await sheet().locator('tbody tr').count()).toBe(1000);
    await page.emulateMedia({ media: null });
    await endPrint();
  });

  it('by the menu of the browser has one page of the list, and says so', async () => {
    const note = page.getByText('This is page 1 of the list. To print all pages, use “Print list” above the list.');
    expect(await note.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await note.isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await page.goto(store.url('/pets?limit=50&status=available'));
    await page.locator('tbody tr').nth(29).waitFor();
    expect(await page.getByText(/^This is page/).count()).toBe(0);
  });
});

describe('the record of an animal', () => {
  it('fits one screen of a phone with its label and others of its category, and has buttons of one size', async () => {
    await page.setViewportSize({ width: 412, height: 860 });
    await page.goto(store.url('/pets/31'));
    await page.getByRole('region', { name: 'Others of category 1' }).getByRole('link', { name: 'Show all' }).waitFor();
    await page.getByRole('img', { name: 'QR code of animal 31' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(860);
    const actions = page
      .getByRole('main')
      .locator('a, button')
      .filter({ hasText: /^(Print label|Add another|Copy (number|link))$/ });
    const boxes = await Promise.all((await actions.all()).map((action) => action.boundingBox()));
    expect(boxes).toHaveLength(4);
    expect(new Set(boxes.map((box) => `${box?.width} × ${box?.height}`)).size).toBe(1);
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(2);
    expect(await violations(page)).toEqual([]);
  });
});
