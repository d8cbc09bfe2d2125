import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { focus, violationsInAllLooks } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Ada', categoryId: 5n });
  await store.add({ name: 'Rex', categoryId: 9223372036854775807n, status: 'pending' });
  for (let number = 3; number <= 25; number += 1) await store.add({ name: `Cat ${number}`, categoryId: 5n });
  ({ page } = await store.visit('/pets'));
});

const open = (path: string) => page.goto(store.url(path));
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focusedName = async () => (await focus(page)).name;
const main = () => page.getByRole('main');
const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const link = (name: string) => main().getByRole('link', { name, exact: true });

it('an animal is shown with exact numbers, without the deprecated operation, is copied also on plain http, and gives its category and status to another one', async () => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname + new URL(request.url()).search));
  await open('/pets/2');
  await heading('Rex').waitFor();
  await link('Category 9223372036854775807').waitFor();
  await main().getByText('Pending', { exact: true }).waitFor();
  expect(await page.title()).toContain('Rex');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  expect(await navigation.locator('[aria-current=page]').allInnerTexts()).toEqual(['Animals']);
  // A browser that translates the page does not translate its name, on the label too.
  const names = main().getByText('Rex', { exact: true });
  expect(await names.evaluateAll((found) => found.map((name) => name.closest('[translate="no"]') !== null))).toEqual([
    true,
    true,
  ]);
  expect(requested).toContain('/v1/pets?id=2');
  expect(requested.filter((path) => path.startsWith('/v1/pets/'))).toEqual([]);
  expect(await violationsInAllLooks(page)).toEqual([]);
  expect(await main().locator('[data-variant=filled]').allInnerTexts()).toEqual(['Print label']);

  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(focusedName).toBe('Copied');
  await field().press('Control+V');
  expect(await field().inputValue()).toBe(store.url('/pets/2'));

  await link('Add another').click();
  await heading('Add animal').waitFor();
  expect(await page.getByLabel('Category number').inputValue()).toBe('9223372036854775807');
  expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
});

it('an animal of a list appears immediately, and leads to the list by its link, and by Escape when nothing is open', async () => {
  await open('/pets?order=asc');
  await page.route('**/v1/pets?id=*', () => undefined);
  await link('Rex').click();
  await heading('Rex').waitFor();
  await main().getByText('Pending', { exact: true }).waitFor();
  await page.unroute('**/v1/pets?id=*');
  await link('Animals').click();
  await expect.poll(focusedName).toBe('Rex');

  await link('Rex').press('Enter');
  await heading('Rex').waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await field().press('Escape');
  await heading('Rex').focus();
  expect(new URL(page.url()).pathname).toBe('/pets/2');
  await page.keyboard.press('Escape');
  await expect.poll(focusedName).toBe('Rex');
  expect(new URL(page.url()).search).toBe('?order=asc');
});

it('the last animal of a filtered list has no next one, also after all animals were listed', async () => {
  await open('/pets?order=asc');
  await link('Ada').waitFor();
  await main()
    .getByRole('link', { name: /^Pending/ })
    .click();
  await link('Rex').click();
  await heading('Rex').waitFor();
  for (const to of ['Next animal', 'Previous animal'])
    expect([to, await link(to).getAttribute('aria-disabled')]).toEqual([to, 'true']);
});

it('the links to the previous and the next animal follow the list over its pages, keep the focus, and do not change what Back does', async () => {
  await open('/pets?category=5&order=asc');
  await link('Cat 20').click();
  await heading('Cat 20').waitFor();
  const go = async (to: 'Next animal' | 'Previous animal', name: string) => {
    await expect.poll(() => link(to).getAttribute('aria-disabled')).toBe(null);
    await link(to).press('Enter');
    await heading(name).waitFor();
    expect(await focusedName()).toBe(to);
  };
  for (let number = 21; number <= 25; number += 1) await go('Next animal', `Cat ${number}`);
  await expect.poll(() => link('Next animal').getAttribute('aria-disabled')).toBe('true');
  for (let number = 24; number >= 3; number -= 1) await go('Previous animal', `Cat ${number}`);
  // The list has only cats.
  await go('Previous animal', 'Ada');
  await expect.poll(() => link('Previous animal').getAttribute('aria-disabled')).toBe('true');
  await page.goBack();
  await heading('Animals').waitFor();
  expect(new URL(page.url()).search).toBe('?category=5&order=asc');
  await open('/pets/2');
  await heading('Rex').waitFor();
  expect(await link('Next animal').count()).toBe(0);
});

it('an address with a number that no animal has, or that is none, shows "Animal not found", and any other one "Page not found"', async () => {
  for (const [path, title] of [
    ['/nowhere', 'Page not found'],
    ['/pets/9999999', 'Animal not found'],
    ['/pets/9223372036854775808', 'Animal not found'],
    ['/pets/rex', 'Animal not found'],
  ] as const) {
    await open(path);
    await heading(title).waitFor();
    await main().getByRole('button', { name: 'Search' }).click();
    await expect.poll(focusedName).toBe('Find an animal');
    await link('Show all animals').click();
    await heading('Animals').waitFor();
  }
});
