import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsAsShown } from './support/accessibility.js';
import { AddForm, addedLinks, formTakesEnter, isFocused } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Twin', categoryId: 9n, status: 'sold' });
  ({ page } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
});
beforeEach(() => void form.posted.splice(0));

const justAdded = () => addedLinks(page);
const alert = () => page.getByRole('alert');
const posted = () => form.posted.map((body) => JSON.parse(body) as unknown);

it('the form rejects empty fields, with one message at each, and focuses the first one', async () => {
  await form.submit();
  const faults = page.locator('.mantine-InputWrapper-error');
  expect(await faults.allInnerTexts()).toEqual(['Enter a name', 'Enter a category number']);
  expect(await page.getByText('Enter a name').count()).toBe(1);
  expect(await isFocused(form.name)).toBe(true);
  expect(await form.name.getAttribute('aria-invalid')).toBe('true');
  const described = (await form.category.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`#${described.split(' ')[0]}`).innerText()).toContain('Enter a category number');
  expect(form.posted).toEqual([]);
});

describe('a label that is scanned into the form', () => {
  afterEach(() => expect(form.posted).toEqual([]));
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  async function scan(text: string): Promise<void> {
    await form.name.fill('');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  /** Returns to the form, which does not keep the code. */
  async function goBack(name = ''): Promise<void> {
    await page.goBack();
    await form.name.waitFor();
    await formTakesEnter(page);
    expect(await form.name.inputValue()).toBe(name);
  }

  it('asks if the address is one of another store', async () => {
    await form.category.fill('9');
    await scan('http://192.168.77.1:3000/pets/1');
    await alert().getByText('This label belongs to another store').waitFor();
    expect(await violationsAsShown(page)).toEqual([]);
    await alert().getByRole('button', { name: "Don't open" }).click();
    await expect.poll(async () => [await form.name.inputValue(), await alert().count()]).toEqual(['', 0]);
    await scan('http://192.168.77.1:3000/pets/1');
    await alert().getByRole('button', { name: 'Open number 1' }).click();
    await heading('Twin').waitFor();
    await goBack();
  });

  it('opens its animal from every field, which then has its text from before', async () => {
    const count = page.getByRole('textbox', { name: 'How many?' });
    for (const field of [form.category, count]) {
      await form.enter({ name: 'Rex', category: '9' });
      await field.focus();
      await field.selectText();
      await page.keyboard.type(store.url('/pets/1'));
      await page.keyboard.press('Enter');
      await heading('Twin').waitFor();
      await goBack('Rex');
      expect([await form.category.inputValue(), await count.inputValue()]).toEqual(['9', '1']);
    }
    await form.name.press('End');
    await page.keyboard.type(store.url('/pets/1'));
    await page.keyboard.press('Enter');
    await heading('Twin').waitFor();
    await goBack('Rex');
    await form.name.fill('');
  });

  it('asks if it is a number, also when it is typed slowly', async () => {
    await form.category.fill('9');
    await form.name.pressSequentially('1', { delay: 300 });
    await page.keyboard.press('Enter');
    await alert().getByText('Is 1 the number of an animal?').waitFor();
    // The focus is not on an answer.
    await page.keyboard.press('Enter');
    await alert().getByRole('button', { name: 'Open number 1' }).click();
    await heading('Twin').waitFor();
    await goBack();
  });
});

it('a number can be a name', async () => {
  await form.enter({ name: '2024', category: '9' });
  await form.submit();
  await alert().getByRole('button', { name: 'Add an animal named “2024”' }).click();
  await form.added.waitFor();
  expect(form.posted).toHaveLength(1);
  await page.goto(store.url('/pets/new'));
  await form.name.waitFor();
});

it('the form points out an animal with the same name, also if no search finds it', async () => {
  await store.add({ name: '🐰', categoryId: 9n });
  await form.enter({ name: '🐰', category: '9' });
  await form.submit();
  await alert().getByText('An animal with this name is already in the store').waitFor();
  await alert().getByRole('button', { name: "Don't add" }).click();
  await page.goto(store.url('/pets/new'));
  await form.name.waitFor();
});

it('the form points out an animal with the same name and category before it adds another one', async () => {
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('1');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Add another' }).click();
  await form.name.fill('Twin');
  await formTakesEnter(page);
  await page.keyboard.press('Enter');
  await alert().getByText('An animal with this name is already in the store').waitFor();
  await alert().getByRole('link', { name: 'number 1 (sold)' }).waitFor();
  expect(await alert().locator('[data-variant=filled]').allInnerTexts()).toEqual(["Don't add"]);
  expect(await violationsAsShown(page)).toEqual([]);
  await alert().getByRole('button', { name: "Don't add" }).click();
  await alert().waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(form.name)).toBe(true);
  expect(form.posted).toEqual([]);
  await form.name.fill('Twin');
  await form.name.press('Enter');
  await alert().waitFor();
  // A second Enter answers nothing.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  expect([await alert().count(), form.posted.length]).toEqual([1, 0]);
  await alert().getByRole('button', { name: 'Add another one' }).press('Enter');
  await form.justAdded(1).waitFor();
  await form.name.focus();
  // No further question: the person wants several.
  await page.keyboard.type('Twin');
  await page.keyboard.press('Enter');
  await form.justAdded(2).waitFor();
  expect(form.posted).toHaveLength(2);
});

describe('adding an animal', () => {
  beforeAll(async () => {
    await page.evaluate(() => sessionStorage.removeItem('petstore.draft'));
    await page.goto(store.url('/pets/new'));
    form = await AddForm.on(page);
  });

  it('creates it with the status available by default, and links to it', async () => {
    await form.enter({ name: 'Rex', category: '7' });
    await form.submit();
    await form.added.click();
    expect(posted()).toEqual([{ name: 'Rex', categoryId: 7, status: 'available' }]);
    await page.getByRole('heading', { level: 1, name: 'Rex' }).waitFor();
    await page.goBack();
    await form.justAdded(1).waitFor();
    await formTakesEnter(page);
  });

  it('keeps category and status for the next animal, which takes its name and Enter', async () => {
    await form.enter({ name: 'One', category: '12' });
    await page.getByRole('radio', { name: 'Pending' }).check();
    await form.submit();
    await form.justAdded(2).waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '12']);
    expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
    expect(await isFocused(form.name)).toBe(true);
    await page.keyboard.type('Two');
    await page.keyboard.press('Enter');
    await form.justAdded(3).waitFor();
    expect(posted()).toEqual([
      { name: 'One', categoryId: 12, status: 'pending' },
      { name: 'Two', categoryId: 12, status: 'pending' },
    ]);
    expect(await justAdded().allInnerTexts()).toEqual(['Two', 'One', 'Rex']);
    await justAdded().filter({ hasText: 'One' }).click();
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor();
    await page.goBack();
    await form.justAdded(3).waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '12']);
  });

  it('sends one POST for several submits in a row', async () => {
    const before = await store.count();
    await form.enter({ name: 'Once', category: '1' });
    await page.locator('main form').evaluate((element: HTMLFormElement) => {
      for (let times = 0; times < 5; times += 1) element.requestSubmit();
    });
    await form.justAdded(4).waitFor();
    expect(form.posted).toHaveLength(1);
    await form.name.fill('Once more');
    await page.getByRole('button', { name: 'Add animal' }).dblclick();
    await form.justAdded(5).waitFor();
    // Meant for the last animal.
    await page.keyboard.press('Enter');
    expect(await page.getByText('Enter a name').count()).toBe(0);
    expect([form.posted.length, (await store.count()) - before]).toEqual([2, 2]);
  });

  it('keeps every digit of the category number', async () => {
    const number = '9223372036854775807';
    await form.enter({ name: 'Exact', category: number });
    await form.submit();
    await justAdded().filter({ hasText: 'Exact' }).click();
    expect(form.posted).toEqual([expect.stringContaining(`"categoryId":${number},`)]);
    await page.getByText(number, { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await page.getByRole('cell', { name: number, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Add animal' }).click();
  });

  it('keeps the draft over a reload until it is cleared', async () => {
    await form.enter({ name: 'Half a na', category: '3' });
    await page.getByRole('radio', { name: 'Sold' }).check();
    await page.reload();
    await page.getByText('Your unfinished animal is still here.').waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['Half a na', '3']);
    expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Clear form' }).click();
    await expect.poll(() => form.name.inputValue()).toBe('');
    await page.reload();
    await form.name.waitFor();
    expect(await page.getByText('Your unfinished animal is still here.').count()).toBe(0);
  });
});

describe('a name', () => {
  it('is stored without outer white space and invisible characters, also in a litter, and with one space inside', async () => {
    await form.enter({ name: '\u200B\u00A0Skip  \u00A0Me \uFEFF', category: '9' });
    await form.submit();
    await form.added.waitFor();
    await form.name.fill('Rex\u200B ');
    await page.getByRole('textbox', { name: 'How many?' }).fill('2');
    await page.getByRole('button', { name: 'Add 2 animals' }).click();
    await page.getByRole('main').getByText('Added 2 animals').waitFor();
    expect((posted() as { name: string }[]).map(({ name }) => name)).toEqual(['Skip Me', 'Rex 1', 'Rex 2']);
  });

  it('that is the one of an animal without invisible characters is asked about', async () => {
    await store.add({ name: 'Skip  it\u200B', categoryId: 9n });
    await form.enter({ name: ' skip\u00A0it ', category: '9' });
    await form.submit();
    await alert().getByRole('button', { name: "Don't add" }).click();
    expect(form.posted).toEqual([]);
  });

  it('of invisible characters only is none', async () => {
    await form.enter({ name: '\u3164\u200B', category: '9' });
    await form.submit();
    expect(await page.getByText('Enter a name').count()).toBe(1);
    expect(form.posted).toEqual([]);
  });
});

describe('the page', () => {
  it('is not broken by a name of a program with markup, of unusual characters or without line breaks', async () => {
    for (const name of [
      '<img src=x onerror="document.title=1">',
      // Right-to-left characters.
      '\u202Egnp.exe\u2066',
      'W'.repeat(200),
      // Invisible characters.
      '\u200B',
      '\u3164',
      '\u2800',
    ]) {
      await store.add({ name, categoryId: 1n });
      const text = name.length === 1 ? '(invisible name)' : name;
      await page.goto(store.url('/pets'));
      const rowLink = page.locator('tbody').getByRole('link').first();
      await rowLink.waitFor();
      expect(await rowLink.innerText()).toBe(text);
      await expectIntactPage(name);
      await rowLink.click();
      await page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
      await expectIntactPage(name);
    }
  });

  async function expectIntactPage(name: string): Promise<void> {
    expect(await page.locator('main img').count(), name).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
  }
});
