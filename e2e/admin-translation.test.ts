import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { AddForm } from './support/add-form.js';
import { downloadBy } from './support/downloads.js';
import { chooseImportFile, holdCreates, importStep } from './support/import-steps.js';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { outdatedTexts, translatePage } from './support/translation.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 45; number += 1) await store.add({ name: `Rex ${number}`, categoryId: 7n });
  ({ page } = await openPage(store.browser));
  await translatePage(page);
  await page.goto(store.url('/pets'));
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));

const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const link = (name: string | RegExp) => page.getByRole('link', { name });
const go = (name: string) => page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name }).click();

/** Every text is the current one, and the page has not failed. */
async function expectCurrent(): Promise<void> {
  await expect.poll(() => outdatedTexts(page)).toEqual([]);
  expect(await heading("This page can't be shown").count()).toBe(0);
}

it('signing in works in a translated page', async () => {
  await page.getByRole('textbox', { name: 'Key' }).fill('psk_wrong');
  await button('Sign in').click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await button('Sign in').click();
  await heading('Animals').waitFor();
  await expectCurrent();
});

it('a translated list shows its other pages, filters and new animals', async () => {
  await page.getByText('Page 1', { exact: true }).waitFor();
  await link('Next').click();
  await page.getByText('Page 2', { exact: true }).waitFor();
  await link('Rex 1').first().waitFor();
  await link('Previous').click();
  await page.getByText('Page 1', { exact: true }).waitFor();
  await link(/^Sold/).click();
  await page
    .getByRole('region', { name: 'List' })
    .getByText(/No sold animals/)
    .waitFor();
  await link(/^All/).first().click();
  await link('Rex 45').waitFor();
  await expectCurrent();
});

it('a translated search shows what it finds, and its results', async () => {
  const search = page.getByRole('combobox', { name: 'Find an animal' });
  for (const [text, found] of [
    ['Rex 4', 'Rex 44'],
    ['Rex 44', 'Rex 44'],
    ['over', 'Overview'],
  ] as const) {
    await search.fill(text);
    await page.getByRole('option', { name: found }).waitFor();
  }
  await search.fill('Rex 4');
  await page.getByRole('option', { name: 'Show all results' }).click();
  await heading(/^Results for/).waitFor();
  await link('Rex 40').click();
  await heading('Rex 40').waitFor();
  await expectCurrent();
});

it('a translated form adds an animal, a litter and a repeat, and shows their numbers', async () => {
  await page.goto(store.url('/pets/new'));
  const form = await AddForm.on(page);
  await form.submit();
  await page.getByText('Enter a name').first().waitFor();
  await form.enter({ name: 'Bella', category: '8' });
  await form.submit();
  await form.justAdded(1).waitFor();
  await form.enter({ name: 'Bella', category: '8' });
  await form.submit();
  await button(/^Add another/).click();
  await form.justAdded(2).waitFor();
  await page.getByRole('textbox', { name: 'How many?' }).fill('3');
  await form.name.fill('Kitten');
  await button('Add 3 animals').click();
  await form.justAdded(5).waitFor();
  await form.name.fill('4711');
  await page.getByRole('textbox', { name: 'How many?' }).fill('1');
  await form.submit();
  await page.getByText('Is 4711 the number of an animal?').waitFor();
  await button('Add an animal named “4711”').click();
  await form.justAdded(6).waitFor();
  await expectCurrent();
});

it('a translated import shows its steps, its errors and its progress', async () => {
  await go('Import');
  await chooseImportFile(page, '');
  await page.getByRole('alert').waitFor();
  const rows = Array.from({ length: 60 }, (_, index) => `Pup ${index + 1},9`);
  await chooseImportFile(page, ['Pet,Kind', ...rows, 'Max,', 'Rex 1,7'].join('\n'));
  await page.getByLabel('Pet').selectOption('Name');
  await page.getByLabel('Kind').selectOption('Category');
  await button('Check rows').click();
  await page.getByText('1 animal is already in the store').waitFor();
  await page.getByText('Leave out', { exact: true }).click();
  const creates = await holdCreates(page);
  await button('Import 60 animals').click();
  await creates.first;
  creates.release();
  await importStep(page, '60 animals added').waitFor();
  await button('Show more').click();
  await page.getByRole('row').nth(60).waitFor();
  await expectCurrent();
});

it('translated labels, exports and totals are those of the current choice', async () => {
  await button('Print 60 labels').click();
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText('60 labels.').waitFor();
  await page.getByRole('combobox', { name: 'Animals', exact: true }).selectOption('By number');
  for (const [numbers, summary] of [
    ['1-3', '3 labels.'],
    ['1, 900', 'The highest number of an animal is 111.'],
  ] as const) {
    await page.getByRole('textbox', { name: 'Animal numbers' }).fill(numbers);
    await button('Show labels').click();
    await labels.getByText(summary).waitFor();
  }
  await page.goto(store.url('/export'));
  await page.getByText('111 animals', { exact: true }).waitFor();
  await downloadBy(page, () => button('Export').click());
  await page.getByText(/^Exported 111 animals\./).waitFor();
  await page.getByRole('combobox', { name: 'Animals', exact: true }).selectOption('Sold');
  await page.getByText('0 animals', { exact: true }).waitFor();
  await go('Overview');
  await heading('Overview').waitFor();
  await page.getByText('111').first().waitFor();
  await expectCurrent();
  await signOut(page);
  await heading('Sign in to Petstore').waitFor();
});
