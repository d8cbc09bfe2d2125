import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { holdCreates, importStep, startImport } from './support/import-steps.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

beforeAll(async () => {
  store = await Store.open();
});
afterEach(() => page.close());
afterAll(() => store.close());

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });

const animalNames = (count: number) => Array.from({ length: count }, (_, index) => `Animal ${index + 1}`);
const isStored = (count: number) => expect.poll(() => store.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(count);

describe('an import', () => {
  it('continues after its tab was closed, and adds nothing twice', async () => {
    ({ page, failures } = await store.visit('/import'));
    const first = page;
    page = await first.context().newPage();
    await page.goto(store.url(`/import#key=${key}`));
    const before = await store.count();
    const names = animalNames(300);
    await startImport(page, ['name,categoryId', ...names.map((name) => `${name},3000`)].join('\n'));
    await isStored(before + 30);
    await page.close();
    page = first;
    await page.reload();
    await step('Continue the import of delivery.csv').waitFor();
    await button('Continue import').click();
    await step('Import finished').waitFor({ timeout: 60_000 });
    await page.getByText('300 added, 0 refused').waitFor();
    expect(await store.names(3000n)).toEqual(names.toSorted());
    expect(failures).toEqual([]);
  });

  it('can be paused and continued, and the browser asks before the person leaves', async () => {
    ({ page, failures } = await store.visit('/import'));
    const names = animalNames(60);
    const creates = await holdCreates(page);
    await startImport(page, ['name,categoryId', ...names.map((name) => `${name},3001`)].join('\n'));
    await creates.first;
    const question = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const dialog = await question;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await button('Pause').click();
    creates.release();
    await step('Import paused').waitFor();
    const paused = await store.names(3001n);
    expect(paused.length).toBeLessThan(60);
    await button('Continue import').click();
    await step('Import finished').waitFor({ timeout: 60_000 });
    expect(await store.names(3001n)).toEqual(names.toSorted());
    expect(failures).toEqual([]);
  });
});
