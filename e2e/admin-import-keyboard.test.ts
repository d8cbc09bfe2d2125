import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf, downloadBy } from './support/downloads.js';
import { holdCreates, importStep } from './support/import-steps.js';
import { focused, tabTo } from './support/keyboard.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

const press = (key: string) => page.keyboard.press(key);
const pressOn = async (name: string | RegExp, key = 'Enter') => {
  await tabTo(page, name);
  await press(key);
};

/** More animals than an import sends at a time, and one row that is refused. */
const table = `Pet,Kind\nBella,cat\n${Array.from({ length: 60 }, (_, index) => `Rex ${index + 1},7`).join('\n')}\n`;

it('with the keyboard only, a person can import animals and print their labels, and never loses the focus', async () => {
  ({ page } = await store.visit('/import'));
  await importStep(page, 'Choose your animals').waitFor();
  await page.evaluate(() => Object.assign(globalThis, { print: () => Object.assign(globalThis, { isPrinted: true }) }));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressOn(/^Choose a CSV file/)]);
  await chooser.setFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await focused(page, 'Match the columns of delivery.csv');
  await tabTo(page, 'Pet');
  await page.keyboard.type('Name');
  await tabTo(page, 'Kind');
  await page.keyboard.type('Category');
  await pressOn('Check rows');
  await focused(page, '60 animals ready to import');
  const creates = await holdCreates(page);
  await pressOn('Import 60 animals');
  await focused(page, 'Importing');
  await creates.first;
  await pressOn('Pause');
  await focused(page, 'Pausing…');
  creates.release();
  await focused(page, 'Import paused');
  await pressOn('Continue import');
  await focused(page, 'Import finished');
  const refused = await downloadBy(page, () => pressOn('Download refused rows'));
  expect((await contentOf(refused)).toString()).toContain('Bella,cat,2,"Category number must be a number, not “cat”."');
  await tabTo(page, 'Print 60 labels', 'Shift+Tab');
  await press('Enter');
  await focused(page, 'Print labels');
  await page.getByRole('region', { name: 'Labels' }).getByText('60 labels.').waitFor();
  await tabTo(page, 'Label size');
  await page.keyboard.type('24');
  await pressOn('Leave out sold animals', 'Space');
  await pressOn('Print labels');
  await page.waitForFunction(() => 'isPrinted' in globalThis);
});
