import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm, addedLinks, formTakesEnter, isFocused } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let form: AddForm;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  ({ page, failures } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
});
beforeEach(() => void form.posted.splice(0));
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

const justAdded = () => addedLinks(page);
const posted = () => form.posted.map((body) => JSON.parse(body) as unknown);

describe('adding an animal', () => {
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

  it('sends one POST for continuous clicks, also between the response and the next render', async () => {
    const before = await store.count();
    await form.enter({ name: 'Impatience', category: '1' });
    await page.getByRole('button', { name: 'Add animal' }).evaluate((button: HTMLButtonElement) => {
      const justAddedText = () => document.querySelector('#just-added')?.textContent;
      const textBefore = justAddedText();
      const clicks = new MessageChannel();
      let remaining = 50;
      clicks.port1.addEventListener('message', () => {
        if (justAddedText() !== textBefore) remaining -= 1;
        if (remaining === 0) return;
        button.click();
        clicks.port2.postMessage(undefined);
      });
      clicks.port1.start();
      clicks.port2.postMessage(undefined);
    });
    await form.justAdded(6).waitFor();
    expect([form.posted.length, (await store.count()) - before]).toEqual([1, 1]);
    expect(await page.getByText('Enter a name').count()).toBe(0);
  });

  it('keeps every digit of the category number', async () => {
    for (const number of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      await form.enter({ name: `Exact ${number}`, category: number });
      await form.submit();
      await justAdded()
        .filter({ hasText: `Exact ${number}` })
        .click();
      expect(form.posted.at(-1)).toContain(`"categoryId":${number},`);
      await page.getByText(number, { exact: true }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
      await page.getByRole('cell', { name: number, exact: true }).waitFor();
      await page.getByRole('link', { name: 'Add animal' }).click();
    }
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

  it('works with the keyboard only', async () => {
    await page.reload();
    form = await AddForm.on(page);
    await form.name.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await form.justAdded(1).waitFor();
    expect(posted()).toEqual([{ name: 'Keys', categoryId: 5, status: 'pending' }]);
  });
});

describe('the page', () => {
  it('is not broken by a name with markup, of unusual characters or without line breaks', async () => {
    for (const name of [
      '<img src=x onerror="document.title=1">',
      // Right-to-left characters.
      '\u202Egnp.exe\u2066',
      '🐹'.repeat(200),
      'W'.repeat(200),
      // Invisible characters.
      '\u200B',
      // Combining characters.
      `Z${'\u0300'.repeat(199)}`,
    ]) {
      await form.enter({ name, category: '1' });
      await form.submit();
      const text = name === '\u200B' ? '(invisible name)' : name;
      await justAdded().filter({ hasText: text }).waitFor();
      expect(posted().at(-1)).toMatchObject({ name });
      await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
      const rowLink = page.locator('tbody').getByRole('link').filter({ hasText: text });
      await rowLink.waitFor();
      await expectIntactPage(name);
      await rowLink.click();
      await page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor();
      await expectIntactPage(name);
      await page.getByRole('link', { name: 'Add another' }).click();
    }
  });

  async function expectIntactPage(name: string): Promise<void> {
    expect(await page.locator('main img').count(), name).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
  }
});
