import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm, formTakesEnter, isFocused } from './support/add-form.js';
import { violationsAsShown } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let form: AddForm;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Twin', categoryId: 9n, status: 'sold' });
  // The newest animals are next to the form, so they are known at once.
  await store.sql(
    "INSERT INTO pet (name, category_id) SELECT 'Other ' || number, 1 FROM generate_series(1, 24) AS number",
  );
  ({ page, failures } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
});
beforeEach(() => void form.posted.splice(0));
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

const alert = () => page.getByRole('alert');

describe('the form rejects', () => {
  afterEach(() => expect(form.posted).toEqual([]));

  const faults = () => page.locator('.mantine-InputWrapper-error');

  /** Returns the message, which is empty if the form accepts the animal. */
  async function rejection(animal: { name: string; category: string }): Promise<string> {
    await form.enter(animal);
    // A change removes the message about the last value.
    await expect.poll(() => faults().count()).toBe(0);
    await form.submit();
    return (await faults().allInnerTexts()).join();
  }

  it('empty fields, with one message at each, and focuses the first one', async () => {
    await form.submit();
    expect(await faults().allInnerTexts()).toEqual(['Enter a name', 'Enter a category number']);
    expect(await page.getByText('Enter a name').count()).toBe(1);
    expect(await isFocused(form.name)).toBe(true);
    expect(await form.name.getAttribute('aria-invalid')).toBe('true');
    const described = (await form.category.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`#${described.split(' ')[0]}`).innerText()).toContain('Enter a category number');
  });

  it('what the service rejects', async () => {
    for (const [animal, message] of [
      [{ name: ' \t ', category: '1' }, 'Enter a name'],
      [{ name: 'x'.repeat(201), category: '1' }, 'Names can have up to 200 characters'],
      [{ name: '', category: '1' }, 'Enter a name'],
      [{ name: 'Rex', category: '9223372036854775808' }, 'This category number is too long'],
    ] as const) {
      expect(await rejection(animal), JSON.stringify(animal)).toContain(message);
      const body = `{"name": ${JSON.stringify(animal.name)}, "categoryId": ${animal.category}}`;
      const headers = { 'content-type': 'application/json' };
      const response = await store.service.fetch('/v1/pets', { method: 'POST', body, headers });
      expect(response.status, body).toBe(400);
    }
  });

  it('a category that is not a whole number, and focuses the field', async () => {
    for (const category of ['', '1.5', '1.000', 'seven', '1e3', '٣']) {
      const message = category === '' ? 'Enter a category number' : 'Category must be a whole number';
      expect(await rejection({ name: 'Rex', category }), category).toContain(message);
      expect(await isFocused(form.category), category).toBe(true);
    }
  });
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
  async function goBack(): Promise<void> {
    await page.goBack();
    await form.name.waitFor();
    await formTakesEnter(page);
    expect(await form.name.inputValue()).toBe('');
  }

  it('opens the animal if it is the address of its page', async () => {
    await form.category.fill('9');
    await scan(store.url('/pets/1'));
    await heading('Twin').waitFor();
    await goBack();
  });

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
      await page.goBack();
      await form.name.waitFor();
      await formTakesEnter(page);
      await formTakesEnter(page);
      const values = [form.name, form.category, count].map((input) => input.inputValue());
      expect(await Promise.all(values)).toEqual(['Rex', '9', '1']);
    }
    await form.name.press('End');
    await page.keyboard.type(store.url('/pets/1'));
    await page.keyboard.press('Enter');
    await heading('Twin').waitFor();
    await page.goBack();
    await form.name.waitFor();
    await formTakesEnter(page);
    expect(await form.name.inputValue()).toBe('Rex');
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

describe('a number', () => {
  it('can be a name', async () => {
    await form.enter({ name: '2024', category: '9' });
    await form.submit();
    await alert().getByRole('button', { name: 'Add an animal named “2024”' }).click();
    await form.added.waitFor();
    expect(form.posted).toHaveLength(1);
    await page.goto(store.url('/pets/new'));
    await form.name.waitFor();
  });
});

describe('the form', () => {
  it('marks the required fields for screen readers', async () => {
    const required = page.locator('[aria-required=true]');
    expect(await required.count()).toBe(2);
    expect(await form.name.getAttribute('aria-required')).toBe('true');
  });

  it('understands a category number with a thousands separator, and shows how', async () => {
    for (const [index, text] of ['1,000', '1 000'].entries()) {
      await form.enter({ name: `Grouped ${text}`, category: text });
      await form.name.focus();
      expect(await form.category.inputValue(), text).toBe('1000');
      await form.submit();
      await form.justAdded(index + 1).waitFor();
      expect(form.posted[index]).toContain('"categoryId":1000,');
    }
  });

  it('points out an animal with the same name and category before it adds another one', async () => {
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Add another' }).click();
    await form.name.fill('Twin');
    await formTakesEnter(page);
    await page.keyboard.press('Enter');
    await alert().getByText('An animal with this name is already in the store').waitFor();
    await alert().getByRole('link', { name: 'number 1 (sold)' }).waitFor();
    expect(await violationsAsShown(page)).toEqual([]);
    await alert().getByRole('button', { name: "Don't add" }).click();
    await alert().waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(page.locator('h1'))).toBe(true);
    expect(form.posted).toEqual([]);
    await form.name.fill('Twin');
    await form.name.press('Enter');
    await alert().waitFor();
    // A second Enter answers nothing.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect([await alert().count(), form.posted.length]).toEqual([1, 0]);
    await alert().getByRole('button', { name: 'Add another one' }).press('Enter');
    await form.justAdded(3).waitFor();
    await form.name.focus();
    // No further question: the person wants several.
    await page.keyboard.type('Twin');
    await page.keyboard.press('Enter');
    await form.justAdded(4).waitFor();
    expect(form.posted).toHaveLength(2);
  });

  it('compares with new animals also after the clock of the device was set back', async () => {
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() - 86_400_000;
    });
    await store.add({ name: 'Copycat', categoryId: 1000n });
    await form.enter({ name: 'Copycat', category: '1000' });
    await form.submit();
    await alert().getByText('An animal with this name is already in the store').waitFor();
    expect(form.posted).toEqual([]);
  });
});
