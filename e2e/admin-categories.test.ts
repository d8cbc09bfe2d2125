import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsAsShown } from './support/accessibility.js';
import { justAdded } from './support/add-form.js';
import { openPage } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  // More than 8 names: the form then has a list to search.
  const others = [1, 2, 3, 4, 6].map((number) => `${number},Ox ${number}`);
  store = await Store.open('7,Rabbits', '8,Fish', '9,Goldfish', '9007199254740993,Big cats', ...others);
  await store.add({ name: 'Leo', categoryId: 9007199254740993n });
  await store.add({ name: 'Flop', categoryId: 7n });
  await store.add({ name: 'Nemo', categoryId: 5n });
  ({ page } = await store.visit('/pets'));
});

describe('category names', () => {
  it('replace the numbers in the list and on the page of an animal, and lead to the animals of the exact number', async () => {
    await page.getByRole('cell', { name: 'Big cats' }).waitFor();
    const cells = await page.locator('tbody td:nth-child(3)').allInnerTexts();
    expect(cells).toEqual(['5', 'Rabbits', 'Big cats']);
    await page.getByRole('link', { name: 'Leo' }).click();
    await page.getByRole('definition').filter({ hasText: 'Big cats' }).waitFor();
    await page.goto(store.url('/overview'));
    await page.getByRole('link', { name: 'Big cats', exact: true }).click();
    await page.getByRole('link', { name: 'Leo' }).waitFor();
    expect(new URL(page.url()).search).toBe('?category=9007199254740993');
  });

  it('are chosen by typing, numbers work with and without a name, and unknown names are explained', async () => {
    await page.goto(store.url('/pets/new'));
    const category = page.getByRole('combobox', { name: 'Category' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Unknown');
    await category.fill('Dragons');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByText('No category is called “Dragons”').waitFor();
    expect(await page.getByRole('link', { name: /^Added .*number \d+$/ }).count()).toBe(0);

    const posted: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posted.push(request.postData() ?? ''));
    const chosen: [typed: string, shown: string, id: number][] = [
      ['rab', 'Rabbits', 7],
      ['fish', 'Fish', 8],
      ['8', 'Fish', 8],
      ['42', '42', 42],
    ];
    for (const [index, [typed, shown, id]] of chosen.entries()) {
      await page.getByRole('textbox', { name: 'Name' }).fill(`Typed ${typed}`);
      await category.fill(typed);
      if (index === 0) expect(await violationsAsShown(page)).toEqual([]);
      await page.keyboard.press('Tab');
      expect(await category.inputValue()).toBe(shown);
      await page.getByRole('button', { name: 'Add animal' }).click();
      await justAdded(page, index + 1).waitFor();
      expect(posted.at(-1)).toContain(`"categoryId":${id},`);
    }
    // No category begins with this letter alone.
    await category.fill('g');
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Goldfish', 'Big cats']);
    await category.fill('s');
    await page.keyboard.press('Enter');
    expect([await category.inputValue(), posted.length]).toEqual(['s', 4]);
    await page.getByRole('textbox', { name: 'Name' }).fill('By arrow keys');
    await category.fill('gold');
    await page.keyboard.press('Enter');
    expect([await category.inputValue(), posted.length]).toEqual(['Goldfish', 4]);
    await page.keyboard.press('Enter');
    await justAdded(page, 5).waitFor();
    expect(posted.at(-1)).toContain('"categoryId":9,');
    // A click into the field keeps its category.
    await page.getByRole('textbox', { name: 'Name' }).fill('By a click');
    await category.click();
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Enter');
    await justAdded(page, 6).waitFor();
    expect(posted.at(-1)).toContain('"categoryId":9,');
  });
});

it('the list of categories opens by Arrow Down with all of them, and moves no other field', async () => {
  await page.setViewportSize({ width: 320, height: 900 });
  const category = page.getByRole('combobox', { name: 'Category' });
  const status = page.getByRole('group', { name: 'Status' });
  await category.focus();
  const before = await status.boundingBox();
  await category.press('ArrowDown');
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual(['Rabbits', 'Fish', 'Goldfish', 'Big cats', 'Ox 1', 'Ox 2', 'Ox 3', 'Ox 4', 'Ox 6']);
  expect(await status.boundingBox()).toEqual(before);
  expect(await violationsAsShown(page)).toEqual([]);
  await page.getByRole('option', { name: 'Fish', exact: true }).click();
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  await page.getByRole('radio', { name: 'Sold' }).click();
  expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
});

it('a key that may only read never sees the form or the buttons that open it', async () => {
  const readKey = await store.newKey('read');
  ({ page } = await openPage(store.browser));
  await page.goto(store.url(`/pets#key=${readKey}`));
  await page.getByRole('link', { name: 'Flop' }).waitFor();
  expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Flop' }).click();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('link', { name: /^Add/ }).count()).toBe(0);
  await page.goto(store.url('/pets/new'));
  await page.getByText("You don't have permission to add animals. Ask your manager.").waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).count()).toBe(0);
  await page.goto(store.url('/import'));
  await page.getByText("You don't have permission to add animals. Ask your manager.").waitFor();
  expect(await violationsAsShown(page)).toEqual([]);
});
