import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focus, violationsAsShown } from './support/accessibility.js';
import { openKeptCategory, showList } from './support/kept-category.js';

let page: Page;

/** All tests use one page, and start at the list. */
beforeAll(async () => {
  ({ page } = await openKeptCategory());
});
beforeEach(() => showList(page));

const press = (key: string) => page.keyboard.press(key);
const type = (text: string) => page.keyboard.type(text);
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focusedName = async () => (await focus(page)).name;
const openForm = () => page.getByRole('link', { name: 'Add animal' }).click();
const name = () => page.getByRole('textbox', { name: 'Name' });
const help = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

describe('keyboard shortcuts', () => {
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
    await openForm();
    await name().focus();
    await press('Control+k');
    expect(await focusedName()).toBe('Find an animal');
    await expect
      .poll(() => options().allTextContents())
      .toEqual(
        expect.arrayContaining([
          'Add animal ',
          'Overview ',
          'Import animals ',
          'Keyboard shortcuts ?',
          'Scan a label ',
        ]),
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
    await press('Control+k');
    await type('add an');
    await press('Enter');
    await expect.poll(focusedName).toBe('Name');
    await heading('Add animal').focus();
  });

  it('show all results of a search by Shift+Enter, also if only one animal is found', async () => {
    await press('/');
    await type('mia');
    await press('Shift+Enter');
    await heading('Results for “mia”').waitFor();
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
  });

  it('are typed into text fields', async () => {
    await openForm();
    await name().focus();
    await type('jack/c?');
    expect(await name().inputValue()).toBe('jack/c?');
    await name().fill('');
  });

  it('are listed by ?', async () => {
    await press('?');
    await help().waitFor();
    expect(await help().locator('dt').allTextContents()).toEqual(['Ctrlk', '/', '0…9', 'ShiftEnter', '?']);
    expect(await violationsAsShown(page)).toEqual([]);
    await help().getByRole('button', { name: 'Close' }).click();
  });
});
