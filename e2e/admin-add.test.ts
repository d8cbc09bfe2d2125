import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm, isFocused } from './support/add-form.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let form: AddForm;

beforeAll(async () => {
  store = await Store.open();
});
beforeEach(async () => {
  ({ page, failures } = await store.visit('/pets/new'));
  form = await AddForm.on(page);
});
afterEach(() => page.close());
afterAll(() => store.close());

describe('adding an animal', () => {
  it('creates it with the status available by default, and links to it', async () => {
    await form.enter({ name: 'Rex', category: '7' });
    await form.submit();
    await form.added.waitFor();
    expect(JSON.parse(form.posted[0] ?? '')).toEqual({ name: 'Rex', categoryId: 7, status: 'available' });
    await page.getByRole('link', { name: /Added as number/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Rex' }).waitFor();
    expect(failures).toEqual([]);
  });

  it('keeps category and status for the next animal, which takes its name and Enter', async () => {
    await form.enter({ name: 'One', category: '12' });
    await page.getByRole('radio', { name: 'Pending' }).check();
    await form.submit();
    await form.justAdded(1).waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '12']);
    expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
    expect(await isFocused(form.name)).toBe(true);
    await page.keyboard.type('Two');
    await page.keyboard.press('Enter');
    await form.justAdded(2).waitFor();
    expect(form.posted.map((body) => JSON.parse(body) as unknown)).toEqual([
      { name: 'One', categoryId: 12, status: 'pending' },
      { name: 'Two', categoryId: 12, status: 'pending' },
    ]);
    const list = page.getByRole('region', { name: 'Just added' });
    expect(await list.getByRole('link').allInnerTexts()).toEqual(['Two', 'One']);
    await list.getByRole('link', { name: 'One' }).click();
    await page.getByRole('heading', { level: 1, name: 'One' }).waitFor();
    await page.goBack();
    await form.justAdded(2).waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['', '12']);
    expect(failures).toEqual([]);
  });

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
    'keeps every digit of category number %s',
    async (number) => {
      await form.enter({ name: 'Exact', category: number });
      await form.submit();
      await form.added.waitFor();
      expect(form.posted[0]).toContain(`"categoryId":${number},`);
      await page.getByRole('link', { name: /Added as number/ }).click();
      await page.getByText(number, { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Animals' }).click();
      await page.getByRole('cell', { name: number }).first().waitFor();
      expect(failures).toEqual([]);
    },
  );

  it('sends one POST for several submits in a row', async () => {
    const before = await store.count();
    await form.enter({ name: 'Once', category: '1' });
    await page.locator('main form').evaluate((element: HTMLFormElement) => {
      for (let times = 0; times < 5; times += 1) element.requestSubmit();
    });
    await form.added.waitFor();
    expect(form.posted).toHaveLength(1);
    await form.name.fill('Once more');
    await page.getByRole('button', { name: 'Add animal' }).dblclick();
    await form.justAdded(2).waitFor();
    // Meant for the last animal.
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect([form.posted.length, (await store.count()) - before]).toEqual([2, 2]);
    expect(failures).toEqual([]);
  });

  it('sends one POST for continuous clicks, also between the response and the next render', async () => {
    const before = await store.count();
    await form.enter({ name: 'Impatience', category: '1' });
    await page.getByRole('button', { name: 'Add animal' }).evaluate((button: HTMLButtonElement) => {
      const clicks = new MessageChannel();
      let remaining = 50;
      clicks.port1.addEventListener('message', () => {
        if (document.querySelector('#just-added')) remaining -= 1;
        if (remaining === 0) return;
        button.click();
        clicks.port2.postMessage(undefined);
      });
      clicks.port1.start();
      clicks.port2.postMessage(undefined);
    });
    await form.added.waitFor();
    expect([form.posted.length, (await store.count()) - before]).toEqual([1, 1]);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(failures).toEqual([]);
  });

  it('keeps the draft over a reload until it is cleared', async () => {
    await form.enter({ name: 'Half a na', category: '3' });
    await page.getByRole('radio', { name: 'Sold' }).check();
    await page.reload();
    await page.getByText('Your unfinished animal is still here.').waitFor();
    expect([await form.name.inputValue(), await form.category.inputValue()]).toEqual(['Half a na', '3']);
    expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Clear form' }).click();
    expect(await form.name.inputValue()).toBe('');
    await page.reload();
    await form.name.waitFor();
    expect(await page.getByText('Your unfinished animal is still here.').count()).toBe(0);
    expect(failures).toEqual([]);
  });

  it('works with the keyboard only', async () => {
    await form.name.focus();
    await page.keyboard.type('Keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('5');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await form.added.waitFor();
    expect(JSON.parse(form.posted[0] ?? '')).toEqual({ name: 'Keys', categoryId: 5, status: 'pending' });
    expect(failures).toEqual([]);
  });
});

describe('a name', () => {
  it.each([
    ['with markup', '<img src=x onerror="document.title=1">'],
    ['with right-to-left characters', '\u202Egnp.exe\u2066'],
    ['of 200 emoji', '🐹'.repeat(200)],
    ['without line breaks', 'W'.repeat(200)],
    ['of invisible characters', '\u200B'],
    ['of combining characters', `Z${'\u0300'.repeat(199)}`],
  ])('%s does not break the page', async (_what, text) => {
    await form.enter({ name: text, category: '1' });
    await form.submit();
    await form.added.waitFor();
    expect(JSON.parse(form.posted[0] ?? '')).toMatchObject({ name: text });
    for (const path of ['/pets', `/pets/${(await store.newest()).id}`]) {
      await page.goto(store.url(path));
      await page
        .getByText(text === '\u200B' ? '(invisible name)' : text)
        .first()
        .waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    expect(failures).toEqual([]);
  });
});
