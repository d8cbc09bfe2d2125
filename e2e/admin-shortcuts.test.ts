import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focus, violationsAsShown } from './support/accessibility.js';
import { justAdded } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, and start at the list. */
beforeAll(async () => {
  store = await Store.open();
  for (const name of ['Rex', 'Mia', 'Zoe']) await store.add({ name, categoryId: 7n });
  ({ page } = await store.visit('/pets'));
});
beforeEach(async () => {
  await page.getByRole('link', { name: 'Petstore' }).click();
  await page.getByRole('link', { name: 'Zoe' }).waitFor();
  await heading('Animals').focus();
});
afterAll(() => store.close());

const press = (key: string) => page.keyboard.press(key);
const type = (text: string) => page.keyboard.type(text);
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focusedName = async () => (await focus(page)).name;
const help = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

describe('keyboard shortcuts', () => {
  it('go through the rows by j and k, open one by Enter, and add by c', async () => {
    await press('j');
    expect(await focusedName()).toBe('Zoe');
    await press('j');
    await press('j');
    await press('j');
    expect(await focusedName()).toBe('Rex');
    await press('k');
    expect(await focusedName()).toBe('Mia');
    await press('Enter');
    await heading('Mia').waitFor();
    await page.getByRole('link', { name: 'Next' }).and(page.locator('[href]')).waitFor();
    await press('j');
    await heading('Rex').waitFor();
    await press('k');
    await heading('Mia').waitFor();
    await press('c');
    await heading('Add animal').waitFor();
  });

  it('focus the search field by / and by a digit, which opens the animal', async () => {
    await press('/');
    expect(await focusedName()).toBe('Find an animal');
    await heading('Animals').focus();
    await type('2');
    await press('Enter');
    await heading('Mia').waitFor();
  });

  it('open the search by Ctrl-K from anywhere, with pages and actions, which words find, too', async () => {
    const options = () => page.getByRole('listbox').getByRole('option');
    await press('c');
    await page.getByRole('textbox', { name: 'Name' }).focus();
    await press('Control+k');
    expect(await focusedName()).toBe('Find an animal');
    await expect
      .poll(() => options().allTextContents())
      .toEqual(
        expect.arrayContaining(['Add animal c', 'Overview o', 'Import animals ', 'Print labels ', 'Scan a label ']),
      );
    expect(await violationsAsShown(page)).toEqual([]);
    await press('Escape');
    expect(await options().count()).toBe(0);
    await type('overview');
    await press('Enter');
    await heading('Overview').waitFor();
    await press('/');
    await options().getByText('Print labels').click();
    await heading('Print labels').waitFor();
    await press('Control+k');
    await type('scan');
    await press('ArrowDown');
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await press('Control+k');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('open the animal whose address a scanner types, wherever the focus is', async () => {
    await type('http://192.168.1.5:3000/pets/2');
    await press('Enter');
    await heading('Mia').waitFor();
  });

  it('are typed into text fields', async () => {
    await press('c');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.focus();
    await type('jack/c?');
    expect(await name.inputValue()).toBe('jack/c?');
    await name.fill('');
  });

  it('are listed by ?, and can be switched off on the device', async () => {
    await press('?');
    await help().waitFor();
    expect(await violationsAsShown(page)).toEqual([]);
    await help().getByRole('checkbox', { name: 'Use keyboard shortcuts on this device' }).uncheck();
    await help().getByRole('button', { name: 'Close' }).click();
    await press('?');
    await press('c');
    await page.reload();
    await page.getByRole('link', { name: 'Zoe' }).waitFor();
    await press('c');
    await press('/');
    expect(await help().count()).toBe(0);
    expect((await focus(page)).isBody).toBe(true);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Use keyboard shortcuts' }).click();
    await press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await press('c');
    await heading('Add animal').waitFor();
  });
});

describe('from the list, the keys in addition to the text are', () => {
  /** The keys that were pressed in addition to the text. */
  let otherKeys: string[] = [];

  async function pressOther(key: string): Promise<void> {
    otherKeys.push(key);
    await press(key);
  }

  beforeEach(() => {
    otherKeys = [];
  });

  it('twelve to add ten animals: one for each further animal', async () => {
    const added = (count: number) => justAdded(page, count).waitFor();
    await pressOther('c');
    await heading('Add animal').waitFor();
    await type('New 1');
    await pressOther('Tab');
    await type('7');
    await pressOther('Enter');
    await added(1);
    for (let count = 2; count <= 10; count += 1) {
      await type(`New ${count}`);
      await pressOther('Enter');
      await added(count);
    }
    expect(otherKeys.join(' ')).toBe(`c Tab${' Enter'.repeat(10)}`);
    expect((await store.newest()).name).toBe('New 10');
  });

  it('one to open an animal by its number', async () => {
    await type('12');
    await pressOther('Enter');
    await heading('New 9').waitFor();
    expect(otherKeys).toEqual(['Enter']);
  });

  it('two to show all results of a search, for example the available animals with a name', async () => {
    await pressOther('/');
    await type('new available');
    await pressOther('Shift+Enter');
    await heading('Results for “new available”').waitFor();
    await page.getByText('1–10 of 10').waitFor();
    expect(otherKeys).toEqual(['/', 'Shift+Enter']);
  });

  it('one for what any device has added today', async () => {
    await pressOther('n');
    await page.getByRole('heading', { level: 1, name: /^New since/ }).waitFor();
    await page.getByRole('link', { name: 'New 10' }).waitFor();
    expect(otherKeys).toEqual(['n']);
  });

  it('two to open an animal by its name', async () => {
    await pressOther('/');
    await type('new 9');
    await pressOther('Enter');
    await heading('New 9').waitFor();
    expect(otherKeys).toEqual(['/', 'Enter']);
  });
});
