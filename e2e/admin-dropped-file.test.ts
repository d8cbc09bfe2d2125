import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseStep, dropFile, importStep } from './support/import-steps.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-drop-'));
  file = join(folder, 'animals.csv');
  await writeFile(file, 'name,category\nRex,7\n');
  store = await Store.open();
  ({ page } = await store.visit('/import'));
});
afterAll(() => rm(folder, { recursive: true }));

it('a file that is dropped anywhere on the page of the import opens there. Other pages ignore it', async () => {
  // Chromium opens it in another tab, other browsers in this one.
  const opened: string[] = [];
  page.context().on('page', () => opened.push('a tab'));
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  for (const place of [heading('Import animals'), page.getByRole('banner'), page.locator('textarea')]) {
    await dropFile(page, place, file);
    await importStep(page, 'Match the columns of animals.csv').waitFor();
    await chooseStep(page).click();
    await importStep(page, 'Choose your animals').waitFor();
  }
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await heading('Overview').waitFor();
  await dropFile(page, heading('Overview'), file);
  expect([page.url(), ...opened]).toEqual([store.url('/overview')]);
});
