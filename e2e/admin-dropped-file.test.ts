import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importStep } from './support/import-steps.js';
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

/** Drops the file as a person does: the browser opens it unless the page takes it. */
async function drop(target: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
}

it('a file that is dropped next to the field of the import, or on another page, is not opened by the browser', async () => {
  // Chromium opens it in another tab, other browsers in this one.
  const opened: string[] = [];
  page.context().on('page', () => opened.push('a tab'));
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const text = () => page.getByText('Choose a CSV file, or drop it here');
  for (const place of [heading('Import animals'), page.getByRole('banner'), page.locator('textarea')])
    await drop(place);
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await heading('Overview').waitFor();
  await drop(heading('Overview'));
  expect([page.url(), ...opened]).toEqual([store.url('/overview')]);

  await page.goBack();
  await drop(text().locator('input'));
  await importStep(page, /columns/i).waitFor();
});
