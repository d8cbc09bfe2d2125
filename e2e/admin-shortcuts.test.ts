import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (const name of ['Rex', 'Mia', 'Zoe']) await store.add({ name, categoryId: 7n });
});
beforeEach(async () => {
  ({ page } = await store.visit('/pets'));
  await page.getByRole('link', { name: 'Zoe' }).waitFor();
});
afterEach(() => page.close());
afterAll(() => store.close());

const press = (key: string) => page.keyboard.press(key);
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
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
    await heading('Mia');
    await page.getByRole('link', { name: 'Next' }).and(page.locator('[href]')).waitFor();
    await press('j');
    await heading('Rex');
    await press('k');
    await heading('Mia');
    await press('c');
    await heading('Add animal');
  });

  it('focus the search field by / and by a digit, which opens the animal', async () => {
    await press('/');
    expect(await focusedName()).toBe('Find an animal');
    await page.getByRole('heading', { name: 'Animals' }).focus();
    await page.keyboard.type('2');
    await press('Enter');
    await heading('Mia');
  });

  it('open the animal whose address a scanner types, wherever the focus is', async () => {
    await page.keyboard.type('http://192.168.1.5:3000/pets/2');
    await press('Enter');
    await heading('Mia');
  });

  it('are typed into text fields', async () => {
    await page.goto(store.url('/pets/new'));
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.focus();
    await page.keyboard.type('jack/c?');
    expect(await name.inputValue()).toBe('jack/c?');
  });

  it('are listed by ?, and can be switched off on the device', async () => {
    await press('?');
    await help().waitFor();
    expect(await violations(page)).toEqual([]);
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
    await heading('Add animal');
  });
});
