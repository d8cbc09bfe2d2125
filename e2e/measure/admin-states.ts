import type { Page } from 'playwright-core';
import { justAdded } from '../support/add-form.js';
import { chooseImportFile, holdCreates, importStep } from '../support/import-steps.js';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
const text = (page: Page, value: string | RegExp) => page.getByText(value).first().waitFor();
const step = (page: Page, name: string | RegExp) => importStep(page, name).waitFor();
const firstRow = (page: Page) => page.locator('main [data-row]').first().waitFor();
const find = (page: Page, words: string) => page.getByRole('combobox', { name: 'Find an animal' }).fill(words);
const failRequests = (page: Page, status: number) =>
  page.route('**/v1/**', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: `{"code":"internal_error","message":"No.","status":${status}}`,
    }),
  );

async function fillForm(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Category' }).fill('Rabbits');
  await page.keyboard.press('Tab');
}

async function add(page: Page, name: string): Promise<void> {
  await fillForm(page, name);
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
}

async function checkFile(page: Page, content: string): Promise<void> {
  await chooseImportFile(page, content);
  await step(page, /^Match the columns/);
  await button(page, 'Check rows').click();
}

/** Rows that are valid, in the store, twice in the file, and refused. */
const delivery = 'name,category,status\nNew,7,\nAnimal 3,7,sold\nNew,7,\n,7,\nMia,seven,gone\nBo,7,,more\n';

/** Each page and state: its path, and the steps that lead from there to it. The import continues from one to the next. */
export const adminStates: Record<string, (page: Page) => Promise<unknown>> = {
  '/pets': firstRow,
  '/pets?order=asc&limit=50 at its end': async (page) => {
    await firstRow(page);
    await page.evaluate(() => scrollTo(0, 10_000));
  },
  '/pets?status=pending': (page) => heading(page, 'No pending animals'),
  '/pets?after=wrong&page=2': (page) => page.getByRole('alert').waitFor(),
  '/pets?q=animal&status=sold': firstRow,
  '/pets?q=unicorn': (page) => heading(page, 'No animals found for “unicorn”'),
  '/pets?category=7': firstRow,
  '/pets while selecting': async (page) => {
    await button(page, 'Select').click();
    await page.getByRole('checkbox', { name: 'Animal 24' }).check();
  },
  '/pets with the categories': async (page) => {
    await firstRow(page);
    await button(page, 'Category').click();
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
  },
  '/pets with the commands': async (page) => {
    await firstRow(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
  },
  '/pets with found animals': async (page) => {
    await find(page, 'Animal');
    await text(page, /^Searched .* animals, updated/);
  },
  '/pets with no found animal': async (page) => {
    await find(page, 'Dragon');
    await page.getByRole('search').getByText('No animal found').waitFor();
  },
  '/pets with the menu': async (page) => {
    await button(page, 'Menu').click();
    await page.getByRole('menu').waitFor();
  },
  '/pets with the shortcuts': async (page) => {
    await firstRow(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
  '/pets with the scanner': async (page) => {
    await button(page, /^Scan/).click();
    await page.getByRole('dialog').waitFor();
  },
  '/pets with an error': async (page) => {
    await firstRow(page);
    await failRequests(page, 500);
    await button(page, 'Refresh').click();
    await page.getByRole('alert').waitFor();
  },
  '/pets offline': async (page) => {
    await firstRow(page);
    await page.context().setOffline(true);
    await text(page, "You're offline.");
  },
  '/pets/3': (page) => heading(page, 'Animal 3'),
  '/pets/3 with an error': async (page) => {
    await heading(page, 'Animal 3');
    await failRequests(page, 500);
    await page.reload();
    await page.getByRole('alert').waitFor();
  },
  '/pets/404404': (page) => heading(page, 'Animal not found'),
  '/nowhere': (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  '/overview': (page) => page.getByRole('rowheader', { name: 'Rabbits' }).waitFor(),
  '/pets/new': (page) => page.getByRole('textbox', { name: 'Name' }).waitFor(),
  '/pets/new with the categories': async (page) => {
    await page.getByRole('combobox', { name: 'Category' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
  },
  '/pets/new with errors': async (page) => {
    await button(page, 'Add animal').click();
    await page.getByRole('alert').first().waitFor();
  },
  '/pets/new with an error of the service': async (page) => {
    await fillForm(page, 'Failing');
    await failRequests(page, 500);
    await page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page.getByRole('alert').first().waitFor();
  },
  '/pets/new with a question': async (page) => {
    await add(page, 'Animal 3');
    await text(page, 'An animal with this name is already in the store');
  },
  '/pets/new after adding': async (page) => {
    await add(page, 'Newcomer');
    await justAdded(page, 1).waitFor();
  },
  '/pets/new with a litter': async (page) => {
    await fillForm(page, 'Rex');
    await page.getByLabel('How many?').fill('50');
    await page.getByRole('list', { name: 'Names' }).waitFor();
  },
  '/pets/new with a question about a litter': async (page) => {
    await fillForm(page, 'Animal');
    await page.getByLabel('How many?').fill('12');
    await page.keyboard.press('Enter');
    await text(page, /of these 12 animals are already in the store/);
  },
  '/pets/new left before the answer': async (page) => {
    await page.route('**/v1/pets', () => undefined);
    await add(page, 'Slow');
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await text(page, 'Still adding');
  },
  // The form asks about it until it is answered.
  '/pets/new with an interrupted litter': async (page) => {
    await fillForm(page, 'Ada');
    await page.getByLabel('How many?').fill('6');
    await failRequests(page, 422);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
  },
  '/export': (page) => page.getByRole('button', { name: 'Export', exact: true }).waitFor(),
  '/export after an export': async (page) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await text(page, /^Exported /);
  },
  '/guide': (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
  '/labels?animals=all': (page) => page.getByRole('region', { name: 'Labels' }).getByRole('listitem').first().waitFor(),
  '/labels?animals=test': (page) =>
    page.getByRole('region', { name: 'Labels' }).getByRole('listitem').first().waitFor(),
  '/labels?numbers=5-2,x,1-99999': (page) => text(page, 'x is not a number or a range.'),
  '/import': (page) => step(page, 'Choose your animals'),
  '/import of a file that is no table': async (page) => {
    await chooseImportFile(page, Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0xff]));
    await page.getByRole('alert').waitFor();
  },
  '/import Match': async (page) => {
    await chooseImportFile(page, delivery);
    await step(page, /^Match the columns/);
  },
  '/import Check': async (page) => {
    await checkFile(page, delivery);
    await step(page, /ready to import$/);
  },
  '/import Check, not compared': async (page) => {
    await failRequests(page, 500);
    await checkFile(page, delivery);
    await text(page, 'could not be compared');
  },
  '/import Import': async (page) => {
    await checkFile(page, delivery);
    await page.getByRole('radio').first().check();
    await holdCreates(page);
    await button(page, /^Import \d+ animals$/).click();
    await step(page, 'Importing');
  },
  '/import to continue': (page) => step(page, /^Continue the import/),
  '/import finished': async (page) => {
    await button(page, 'Continue import').click();
    await step(page, 'Import finished');
  },
  '/labels with code that does not load': async (page) => {
    await page.route('**/assets/labels-page-*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').waitFor();
  },
  '/pets after the key was rejected': async (page) => {
    await firstRow(page);
    await failRequests(page, 401);
    await button(page, 'Refresh').click();
    await page.getByRole('dialog').waitFor();
  },
};
