import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { scan as typeFast } from './support/keyboard.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, and start at the list. The form has a category: only a name is missing. */
beforeAll(async () => {
  store = await Store.open();
  for (const name of ['Rex', 'Mia', 'Zoe']) await store.add({ name, categoryId: 7n });
  ({ page } = await store.visit('/pets'));
  await page.evaluate(() => sessionStorage.setItem('petstore.draft', '{"category":"7"}'));
  await page.reload();
});
beforeEach(async () => {
  await find().fill('');
  await open('Animals');
  await page.getByRole('link', { name: 'Zoe' }).waitFor();
  await heading('Animals').focus();
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const find = () => page.getByRole('combobox', { name: 'Find an animal' });
const name = () => page.getByRole('textbox', { name: 'Name' });
const numbers = () => page.getByRole('textbox', { name: 'Animal numbers' });
const question = () => page.getByRole('alert');
const open = (link: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).click();
const expectNumbers = (text: string) => expect.poll(() => numbers().inputValue()).toBe(text);

async function scan(text: string, suffix: string): Promise<void> {
  await page.keyboard.type(text);
  if (suffix) await page.keyboard.press(suffix);
}

async function openForm(): Promise<void> {
  await page.getByRole('link', { name: 'Add animal' }).click();
  await name().waitFor();
}

async function openNumbers(): Promise<void> {
  await open('Labels');
  await numbers().fill('');
}

/** The form may ignore Enter when it has just opened. */
const submitUntilAsked = () =>
  expect
    .poll(async () => {
      await page.keyboard.press('Enter');
      return question().count();
    })
    .toBe(1);

/**
 * A scanner with another keyboard layout than the computer types these for `/pets/2`, and the last character for 3. Unit
 * tests have more layouts.
 */
const layouts = [
  ['the same', 'http://petstore/pets/2', '3'],
  ['a French', 'httpM!!petstore!pets!é', '"'],
] as const;

interface Place {
  open: () => Promise<unknown>;
  suffixes: readonly string[];
  /** What the scan causes. `next` is another label. */
  happens: (next: string, suffix: string) => Promise<unknown>;
}

const places: Record<string, Place> = {
  'outside of the fields adds nothing': {
    open: () => Promise.resolve(),
    suffixes: ['Enter', ''],
    happens: async () => expect(await heading('Add animal').count()).toBe(0),
  },
  'in the search field opens its animal': {
    open: () => find().focus(),
    suffixes: ['Enter', 'Tab'],
    happens: () => heading('Mia').waitFor(),
  },
  'in the numbers of labels is a label, and the next one follows': {
    open: openNumbers,
    suffixes: ['Enter', 'Tab'],
    happens: async (next, suffix) => {
      await expectNumbers('2, ');
      await scan(next, suffix);
      await expectNumbers('2, 3, ');
    },
  },
  'in the form is a question, or opens its animal': {
    open: openForm,
    suffixes: [''],
    happens: async () => {
      await submitUntilAsked();
      const answers = question().getByRole('button', { name: /^(Open number 2|Don't open)$/ });
      await answers.first().click();
    },
  },
};

describe.each(layouts)('a label that is scanned with %s layout', (_layout, text, three) => {
  it.each(Object.entries(places))('%s', async (_what, { open: openPlace, suffixes, happens }) => {
    for (const suffix of suffixes) {
      await openPlace();
      await scan(text, suffix);
      await happens(text.replace(/.$/u, three), suffix);
      expect(await store.count()).toBe(3);
    }
  });
});

const button = (label: string) => page.getByRole('button', { name: label });

it.each<[string, () => Promise<unknown>]>([
  ['the heading', () => Promise.resolve()],
  ['the box of a row', () => page.getByRole('checkbox', { name: 'Select Zoe' }).focus()],
  ['the number of rows', () => page.getByRole('combobox', { name: 'Animals per page' }).focus()],
  [
    'the menu, at its button to sign out',
    async () => {
      await button('Menu').click();
      await button('Sign out').focus();
    },
  ],
  ['the menu of the list', () => button('Print and export').click()],
  ['the dialog that scans by the camera', () => button('Scan a label').click()],
  ['the help of the keyboard', () => page.keyboard.press('?')],
  [
    'the status of the form',
    async () => {
      await openForm();
      await page.getByRole('radio', { name: 'Sold' }).focus();
    },
  ],
])('a label that is scanned at %s opens its animal, and presses nothing', async (_, reach) => {
  await reach();
  await typeFast(page, 'http://petstore/pets/2\r');
  await heading('Mia').waitFor();
  expect([await page.getByRole('dialog').count(), await store.count()]).toEqual([0, 3]);
});

it('the Enter of a scanner does not follow the link that has the focus, if the text is no label', async () => {
  await page.getByRole('link', { name: 'Add animal' }).focus();
  const clicks = await page.evaluateHandle(() => {
    const types: string[] = [];
    addEventListener('click', ({ type }) => types.push(type), true);
    return types;
  });
  // No key of a shortcut, which would move the focus.
  await typeFast(page, 'abcdef\r');
  expect(await clicks.jsonValue()).toEqual([]);
});

it('codes without a suffix between them are several labels', async () => {
  await openNumbers();
  await page.keyboard.type('http://petstore/pets/1http://petstore/pets/3httpö--petstore-pets-2');
  await page.keyboard.press('Enter');
  await expectNumbers('1, 3, 2, ');
});

it('a code in an unclear layout can only be a name after a question', async () => {
  await openForm();
  await page.keyboard.type('http petstore pets é+');
  await submitUntilAsked();
  await question().getByText('This looks like a scanned label').waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  expect(await store.count()).toBe(3);
  await name().fill('');
});

it('a person who types slowly leaves the search field by Tab', async () => {
  await find().pressSequentially('Mia', { delay: 150 });
  await page.keyboard.press('Tab');
  await expect.poll(() => find().evaluate((node) => node === document.activeElement)).toBe(false);
  expect(await heading('Animals').count()).toBe(1);
});

it('a key with a letter does nothing', async () => {
  for (const key of ['j', 'k', 'c', 'o', 'n', 'a', 'x', 'C', 'N']) {
    await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    expect([key, new URL(page.url()).pathname, focused]).toEqual([key, '/pets', 'H1']);
  }
});
