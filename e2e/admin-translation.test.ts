import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { AddForm } from './support/add-form.js';
import { downloadBy } from './support/downloads.js';
import { checkImportFile, chooseImportFile, holdCreates, importStep } from './support/import-steps.js';
import { failures, openPage, signOut } from './support/page.js';
import { key, Store } from './support/store.js';
import { outdatedTexts, translatePage } from './support/translation.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 45; number += 1) await store.add({ name: `Rex ${number}`, categoryId: 7n });
});
beforeEach(async () => {
  ({ page } = await openPage(store.browser));
  await translatePage(page);
});
/** Every text is the current one, and the page has not failed. */
afterEach(async () => {
  await expect.poll(() => outdatedTexts(page)).toEqual([]);
  expect(await page.getByRole('heading', { name: "This page can't be shown" }).count()).toBe(0);
  await page.context().close();
  // Failed requests belong to these tests.
  failures.splice(0);
});

const open = (path: string) => page.goto(store.url(`${path}#key=${key}`));
const main = () => page.getByRole('main');
const button = (name: string | RegExp) => page.getByRole('button', { name });
const heading = (name: string | RegExp) => page.getByRole('heading', { name });
const link = (name: string | RegExp) => page.getByRole('link', { name });

it('a translated page signs in and out', async () => {
  await page.goto(store.url('/pets'));
  await page.getByRole('textbox', { name: 'Key' }).fill('psk_wrong');
  await button('Sign in').click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Key' }).fill(key);
  await button('Sign in').click();
  await heading('Animals').waitFor();
  await signOut(page);
  await heading('Sign in to Petstore').waitFor();
});

it('a translated list and its search show other pages, filters and results', async () => {
  await open('/pets');
  await link('Rex 45').waitFor();
  await link('Next').click();
  await link('Rex 25').waitFor();
  await link('Previous').click();
  await link('Rex 45').waitFor();
  await link(/^Sold/).click();
  await main()
    .getByText(/No sold animals/)
    .first()
    .waitFor();
  await link(/^All/).first().click();
  const search = page.getByRole('combobox', { name: 'Find an animal' });
  for (const [text, found] of [
    ['Rex 4', 'Rex 44'],
    ['over', 'Overview'],
    ['Rex 4', 'Show all results'],
  ] as const) {
    await search.fill(text);
    await page.getByRole('option', { name: found }).waitFor();
  }
  await page.getByRole('option', { name: 'Show all results' }).click();
  await heading(/^Results for/).waitFor();
  await link('Rex 40').click();
  await heading('Rex 40').waitFor();
  await link('Overview').click();
  await link(/^All animals/).waitFor();
});

it('a translated form adds an animal, a repeat, a litter and a number as a name', async () => {
  await open('/pets/new');
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
  await button('Add it as a name').click();
  await form.justAdded(6).waitFor();
});

it('a translated import shows its steps, its errors and its progress, and then labels', async () => {
  await open('/import');
  await chooseImportFile(page, '');
  await page.getByRole('alert').waitFor();
  const rows = Array.from({ length: 60 }, (_, index) => `Pup ${index + 1},9`);
  await checkImportFile(page, ['Name,Category', ...rows, 'Max,', 'Rex 1,7'].join('\n'));
  await page.getByText('1 animal is already in the store').waitFor();
  await page.getByText('Leave out', { exact: true }).click();
  const creates = await holdCreates(page);
  await button('Import 60 animals').click();
  await creates.first;
  creates.release();
  await importStep(page, '60 animals added').waitFor();
  await button('Print 60 labels').click();
  await page.getByRole('region', { name: 'Labels' }).getByText('60 labels').waitFor();
});

it('a translated export counts the animals of the current choice', async () => {
  await open('/export?status=sold');
  await main().getByText('0 animals', { exact: true }).waitFor();
  await open('/export');
  await main()
    .getByText(/^[1-9]\d* animals$/)
    .waitFor();
  await downloadBy(page, () => button('Export').click());
  await page
    .getByRole('alert')
    .getByText(/^Exported [1-9]\d* animals/)
    .waitFor();
});
