import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './support/accessibility.js';
import { AddForm, addedLinks, isFocused } from './support/add-form.js';
import { scan } from './support/keyboard.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;

/** Each test loads an empty form. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Twin', categoryId: 9n, status: 'sold' });
  ({ page } = await store.visit('/pets'));
});
beforeEach(async () => {
  form = await AddForm.open(page, store.url('/pets/new'));
});

const alert = () => page.getByRole('alert');
const answer = (label: string) => alert().getByRole('button', { name: label, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const posted = () => form.posted.map((body) => JSON.parse(body) as { name: string });
const sameName = () => alert().getByText('An animal with this name is already in the store');

async function typeName(name: string): Promise<void> {
  await form.name.focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

it('the form rejects empty fields, with one message at each, and focuses the first one', async () => {
  await form.submit();
  const faults = page.locator('.mantine-InputWrapper-error');
  expect(await faults.allInnerTexts()).toEqual(['Enter a name', 'Enter a category number']);
  expect([await isFocused(form.name), await form.name.getAttribute('aria-invalid')]).toEqual([true, 'true']);
  const described = (await form.category.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`#${described.split(' ')[0]}`).innerText()).toContain('Enter a category number');
  // Invisible characters.
  await form.enter({ name: '\u3164\u200B', category: '9' });
  await form.submit();
  expect([await faults.allInnerTexts(), form.posted]).toEqual([['Enter a name'], []]);
});

describe('a label that is scanned into the form', () => {
  it('asks if it is one of another store', async () => {
    await form.category.fill('9');
    for (const label of ["Don't open", 'Open number 1']) {
      await typeName('http://192.168.77.1:3000/pets/1');
      await alert().getByText('This label belongs to another store').waitFor();
      if (label === "Don't open") expect(await violations(page)).toEqual([]);
      await answer(label).click();
      await alert().waitFor({ state: 'detached' });
    }
    await heading('Twin').waitFor();
    await page.goBack();
    expect([await form.name.inputValue(), form.posted]).toEqual(['', []]);
  });

  it('opens its animal from every field, which then has its text from before', async () => {
    await form.enter({ name: 'Rex', category: '9' });
    const count = page.getByRole('textbox', { name: 'How many?' });
    for (const field of [form.name, form.category, count]) {
      if (field === form.name) await field.press('End');
      else await field.selectText();
      await page.keyboard.type(store.url('/pets/1'));
      await page.keyboard.press('Enter');
      await heading('Twin').waitFor();
      await page.goBack();
      await form.name.waitFor();
      expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['Rex', '9']);
      expect(await count.inputValue()).toBe('1');
    }
    expect(form.posted).toEqual([]);
  });

  it('or what else a scanner types, adds nothing by its Enter. A second Enter of the person does', async () => {
    await form.category.fill('9');
    await form.name.focus();
    await scan(page, 'ore/pets\r');
    await page.getByText('Was this typed by a scanner? Press Enter again to add it').waitFor();
    expect([await form.name.inputValue(), form.posted]).toEqual(['ore/pets', []]);
    await page.keyboard.press('Enter');
    await form.added.waitFor();
    // The form opens in the middle of a code.
    await form.name.fill('Half a name');
    await heading('Add animal').focus();
    const next = await scan(page, 'http://petstore');
    await form.name.focus();
    await scan(page, '\r', next);
    await page.getByText('Was this typed by a scanner?').waitFor();
    expect(posted().map(({ name }) => name)).toEqual(['ore/pets']);
  });

  it('asks if it is a number, which can be a name', async () => {
    await form.category.fill('9');
    for (const label of ['Open number 1', 'Add it as a name']) {
      await form.name.fill('');
      await form.name.fill('1');
      await page.keyboard.press('Enter');
      await alert().getByText('Is 1 the number of an animal?').waitFor();
      // The focus is not on an answer.
      await page.keyboard.press('Enter');
      expect(form.posted).toEqual([]);
      await answer(label).click();
      if (label !== 'Open number 1') break;
      await heading('Twin').waitFor();
      await page.goBack();
      await form.name.waitFor();
    }
    await form.added.waitFor();
    expect(posted()).toMatchObject([{ name: '1' }]);
  });
});

it('an Enter that is held, and has opened the form, adds nothing', async () => {
  await form.enter({ name: 'Half a name', category: '9' });
  await page.goto(store.url('/pets'));
  await page.getByRole('link', { name: 'Add animal' }).focus();
  await page.keyboard.down('Enter');
  await expect.poll(() => isFocused(form.name)).toBe(true);
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect([await form.name.inputValue(), form.posted]).toEqual(['Half a name', []]);
});

describe('an animal with the name and category of another one', () => {
  it('is asked about, and added if the person wants several', async () => {
    await page.goto(store.url('/pets/1'));
    await page.getByRole('link', { name: 'Add another' }).click();
    await typeName('Twi');
    await form.added.waitFor();
    form.posted.splice(0);
    await form.name.fill('Twin');
    await form.submit();
    await sameName().waitFor();
    await alert().getByRole('link', { name: 'number 1 (sold)' }).waitFor();
    expect(await alert().locator('[data-variant=filled]').allInnerTexts()).toEqual(["Don't add"]);
    expect(await violations(page)).toEqual([]);
    // A second Enter answers nothing.
    await form.name.press('Enter');
    await answer("Don't add").click();
    await expect.poll(() => isFocused(form.name)).toBe(true);
    expect([await alert().count(), form.posted]).toEqual([0, []]);
    await form.name.fill('Twin');
    await form.name.press('Enter');
    await answer('Add another one').press('Enter');
    await form.justAdded(2).waitFor();
    // No further question.
    await form.name.fill('Twin');
    await form.name.press('Enter');
    await form.justAdded(3).waitFor();
    expect(posted()).toMatchObject([{ name: 'Twin' }, { name: 'Twin' }]);
  });

  it('is asked about if the names differ in case and white space only, and if they have no letter or digit', async () => {
    for (const [stored, typed] of [
      ['Skip  it\u200B', ' skip\u00A0it '],
      ['🐰', '🐰'],
    ] as const) {
      await store.add({ name: stored, categoryId: 9n });
      await form.enter({ name: typed, category: '9' });
      await form.submit();
      await sameName().waitFor();
      await answer("Don't add").click();
      await sameName().waitFor({ state: 'detached' });
    }
    expect(form.posted).toEqual([]);
  });
});

describe('adding animals', () => {
  it('keeps category and status, and links to them, newest first', async () => {
    await form.enter({ name: 'Rex', category: '7' });
    await form.submit();
    await form.added.click();
    await heading('Rex').waitFor();
    await page.goBack();
    await form.name.fill('One');
    await form.choose('Pending');
    await form.submit();
    await form.justAdded(2).waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '7']);
    expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
    expect(await isFocused(form.name)).toBe(true);
    await typeName('Two');
    await form.justAdded(3).waitFor();
    expect(posted()).toEqual([
      { name: 'Rex', categoryId: 7, status: 'available' },
      { name: 'One', categoryId: 7, status: 'pending' },
      { name: 'Two', categoryId: 7, status: 'pending' },
    ]);
    expect(await addedLinks(page).allInnerTexts()).toEqual(['Two', 'One', 'Rex']);
  });

  it('sends one POST for several submits in a row', async () => {
    await form.enter({ name: 'Once', category: '1' });
    await page.locator('main form').evaluate((element: HTMLFormElement) => {
      for (let times = 0; times < 5; times += 1) element.requestSubmit();
    });
    await form.justAdded(1).waitFor();
    await form.name.fill('Once more');
    await page.getByRole('button', { name: 'Add animal' }).dblclick();
    await form.justAdded(2).waitFor();
    // Meant for the last animal.
    await page.keyboard.press('Enter');
    expect([await page.getByText('Enter a name').count(), form.posted.length]).toEqual([0, 2]);
  });

  it('keeps every digit of the category number', async () => {
    const number = '9223372036854775807';
    await form.enter({ name: 'Exact', category: number });
    await form.submit();
    await form.added.click();
    await page.getByRole('link', { name: `Category ${number}` }).waitFor();
    expect(form.posted).toEqual([expect.stringContaining(`"categoryId":${number},`)]);
  });

  it('stores names without outer white space and invisible characters, also in a litter', async () => {
    await form.enter({ name: '\u200B\u00A0Skip  \u00A0Me \uFEFF', category: '9' });
    await form.submit();
    await form.added.waitFor();
    await form.name.fill('Rex\u200B ');
    await page.getByRole('textbox', { name: 'How many?' }).fill('2');
    await page.getByRole('button', { name: 'Add 2 animals' }).click();
    await page.getByRole('main').getByText('Added 2 animals').waitFor();
    expect(posted().map(({ name }) => name)).toEqual(['Skip Me', 'Rex 1', 'Rex 2']);
  });
});

it('a reload keeps the form until it is cleared', async () => {
  await form.enter({ name: 'Half a na', category: '3' });
  await form.choose('Sold');
  await page.reload();
  await form.name.waitFor();
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['Half a na', '3']);
  expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Clear form' }).click();
  await page.reload();
  await form.name.waitFor();
  expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '']);
});

it('names of programs do not break the list and the record', async () => {
  const visible = ['<img src=x onerror="document.title=1">', '\u202Egnp.exe\u2066', 'W'.repeat(200)];
  const invisible = ['\u200B', '\u3164', '\u2800'];
  for (const name of [...invisible, ...visible]) await store.add({ name, categoryId: 1n });
  const links = page.locator('tbody').getByRole('link');
  const isIntact = () =>
    page.evaluate(() => !document.querySelector('main img') && document.documentElement.scrollWidth <= innerWidth);
  await page.goto(store.url('/pets'));
  await links.first().waitFor();
  const texts = [...visible.toReversed(), ...invisible.map(() => '(invisible name)')];
  expect((await links.allInnerTexts()).slice(0, texts.length)).toEqual(texts);
  expect(await isIntact()).toBe(true);
  for (const [row, text] of texts.entries()) {
    await links.nth(row).click();
    await heading('').filter({ hasText: text }).waitFor();
    expect([text, await isIntact()]).toEqual([text, true]);
    await page.goBack();
  }
});
