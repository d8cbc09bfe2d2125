import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 60 animals: 30 available, 30 sold. All tests but the last one use one page, in which one continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 60; number += 1) {
    await store.add({ name: `Animal ${number}`, categoryId: 7n, status: number % 2 === 0 ? 'sold' : 'available' });
  }
  ({ page, failures } = await store.visit('/pets'));
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

const link = (name: string | RegExp) => page.getByRole('link', { name });
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const size = () => page.getByRole('combobox', { name: 'Animals per page' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focused = async () => {
  const { name, isBody } = await focus(page);
  return isBody ? 'nothing' : name;
};

describe('the focus', () => {
  it('stays on "Next" and "Previous", also at the last page, so that Enter turns several pages', async () => {
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
  });

  it('moves to the heading when Back removes the focused row', async () => {
    await link(/^Sold/).click();
    await range('1–20 of 30');
    await link('Animal 40').focus();
    await page.goBack();
    await range('1–20 of 60');
    await expect.poll(focused).toBe('Animals');
  });

  it('stays on the status, also from the second page', async () => {
    await link('Next').click();
    await range('21–40 of 60');
    await link(/^Sold/).focus();
    await page.keyboard.press('Enter');
    await range('1–20 of 30');
    expect(await focused()).toMatch(/^Sold/);
  });

  it('moves to the heading after the link of an empty list', async () => {
    await link(/^Pending/).click();
    await link('Show all animals').press('Enter');
    await range('1–20 of 60');
    await expect.poll(focused).toBe('Animals');
  });

  it('stays on the page size, also from the second page', async () => {
    await link('Next').click();
    await range('21–40 of 60');
    await size().focus();
    for (const last of [50, 60]) {
      await page.keyboard.press('ArrowDown');
      await range(`1–${last} of 60`);
      expect(await focused()).toBe('Animals per page');
    }
  });
});

describe('the list', () => {
  it('restores the scroll position and focuses the row after Back and the link to the list from an animal', async () => {
    const scrolled = () => page.evaluate(() => scrollY);
    // The page has 60 animals.
    await link('Animal 7').scrollIntoViewIfNeeded();
    const place = await scrolled();
    expect(place).toBeGreaterThan(500);
    await link('Animal 7').click();
    for (const goBack of [
      () => page.goBack(),
      () => page.getByRole('main').getByRole('link', { name: 'Animals' }).click(),
    ]) {
      await heading('Animal 7').waitFor();
      await expect.poll(scrolled).toBe(0);
      await goBack();
      await range('1–60 of 60');
      await expect.poll(focused).toBe('Animal 7');
      await expect.poll(scrolled).toBe(place);
      await page.keyboard.press('Enter');
    }
    await heading('Animal 7').waitFor();
  });
});

describe('the focus after signing in', () => {
  it('is where the work on the page starts', async () => {
    ({ page, failures } = await openPage(store.browser));
    for (const [path, name, start] of [
      ['/pets/new', 'Add animal', 'Name'],
      ['/pets/3', 'Animal 3', 'Animal 3'],
      ['/pets?status=sold', 'Animals', 'Animals'],
    ] as const) {
      await page.goto(store.url(path));
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.keyboard.type(key);
      await page.keyboard.press('Enter');
      await heading(name).waitFor();
      await expect.poll(focused, { message: path }).toBe(start);
      await signOut(page);
      await heading('Sign in to Petstore').waitFor();
    }
  });
});
