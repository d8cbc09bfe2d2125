import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 60 animals: 30 available, 30 sold. */
beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 60; number += 1) {
    await store.add({ name: `Animal ${number}`, categoryId: 7n, status: number % 2 === 0 ? 'sold' : 'available' });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<void> {
  ({ page, failures } = await store.visit(path));
}

const link = (name: string | RegExp) => page.getByRole('link', { name });
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const size = () => page.getByRole('combobox', { name: 'Animals per page' });
const focused = async () => {
  const { name, isBody } = await focus(page);
  return isBody ? 'nothing' : name;
};

describe('the list', () => {
  const scrolled = () => page.evaluate(() => scrollY);

  it.each([
    ['Back', () => page.goBack()],
    ['the link to the list', () => page.getByRole('main').getByRole('link', { name: 'Animals' }).click()],
  ])('restores the scroll position and focuses the row after %s from an animal', async (_way, goBack) => {
    await visit('/pets?limit=100');
    await link('Animal 7').scrollIntoViewIfNeeded();
    const place = await scrolled();
    expect(place).toBeGreaterThan(500);
    await link('Animal 7').click();
    await page.getByRole('heading', { level: 1, name: 'Animal 7' }).waitFor();
    expect(await scrolled()).toBe(0);
    await goBack();
    await range('1–60 of 60');
    await expect.poll(focused).toBe('Animal 7');
    expect(await scrolled()).toBe(place);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Animal 7' }).waitFor();
    expect(failures).toEqual([]);
  });
});

describe('the focus', () => {
  const visitSecondPage = async () => {
    await visit('/pets');
    await link('Next').click();
    await range('21–40 of 60');
  };

  it('stays on the page size, also from the second page', async () => {
    await visitSecondPage();
    await size().focus();
    for (const last of [50, 60]) {
      await page.keyboard.press('ArrowDown');
      await range(`1–${last} of 60`);
      expect(await focused()).toBe('Animals per page');
    }
    expect(failures).toEqual([]);
  });

  it('stays on the status, also from the second page', async () => {
    await visitSecondPage();
    await link(/^Sold/).focus();
    await page.keyboard.press('Enter');
    await range('1–20 of 30');
    expect(await focused()).toMatch(/^Sold/);
    expect(failures).toEqual([]);
  });

  it('stays on "Next" and "Previous", also at the last page, so that Enter turns several pages', async () => {
    await visit('/pets');
    await link('Next').focus();
    for (const shown of ['21–40 of 60', '41–60 of 60']) {
      await page.keyboard.press('Enter');
      await range(shown);
      expect(await focused()).toBe('Next');
    }
    await link('Previous').focus();
    for (const shown of ['21–40 of 60', '1–20 of 60']) {
      await page.keyboard.press('Enter');
      await range(shown);
      expect(await focused()).toBe('Previous');
    }
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(failures).toEqual([]);
  });

  it('moves to the heading after the link of an empty list', async () => {
    await visit('/pets?status=pending');
    await link('Show all animals').press('Enter');
    await range('1–20 of 60');
    await expect.poll(focused).toBe('Animals');
    expect(failures).toEqual([]);
  });

  it('moves to the heading when Back removes the focused row', async () => {
    await visit('/pets');
    await link(/^Sold/).click();
    await range('1–20 of 30');
    await link('Animal 40').focus();
    await page.goBack();
    await range('1–20 of 60');
    await expect.poll(focused).toBe('Animals');
    expect(failures).toEqual([]);
  });

  it.each([
    ['/pets/new', 'Add animal', 'Name'],
    ['/pets/3', 'Animal 3', 'Animal 3'],
    ['/pets?status=sold', 'Animals', 'Animals'],
  ])('is where the work on %s starts after signing in', async (path, name, start) => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url(path));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await expect.poll(focused).toBe(start);
  });
});
