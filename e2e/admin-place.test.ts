import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let troubles: string[];

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 60; number += 1) {
    await store.add({ name: `Animal ${number}`, categoryId: 7n, status: 'sold' });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<void> {
  ({ page, troubles } = await store.visit(path));
}

const link = (name: string | RegExp) => page.getByRole('link', { name });
const range = (text: string) => page.getByText(text, { exact: true }).waitFor();
const focused = async () => {
  const { name, isBody } = await focus(page);
  return isBody ? 'nothing' : name;
};

describe('the list', () => {
  const scrolled = () => page.evaluate(() => scrollY);

  it('is where it was scrolled to when one comes back from an animal', async () => {
    await visit('/pets?limit=100');
    await link('Animal 7').scrollIntoViewIfNeeded();
    const place = await scrolled();
    expect(place).toBeGreaterThan(500);
    await link('Animal 7').click();
    await page.getByRole('heading', { level: 1, name: 'Animal 7' }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await range('1–60 of 60');
    await expect.poll(focused).toBe('Animals');
    expect(await scrolled()).toBe(place);
    expect(troubles).toEqual([]);
  });
});
