import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { focus, violationsInAllLooks } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let id: bigint;

/** All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Ada', categoryId: 5n });
  ({ id } = await store.add({ name: 'Rex', categoryId: 9223372036854775807n, status: 'pending' }));
  await store.add({ name: 'Zoe', categoryId: 5n, status: 'sold' });
  ({ page } = await store.visit('/pets'));
});

const open = (path: string) => page.goto(store.url(path));
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const focusedText = () => page.evaluate(() => document.activeElement?.textContent);

/** Pastes the clipboard into a new field. */
async function pasted(): Promise<string> {
  const field = await page.evaluateHandle(() => {
    const created = document.createElement('textarea');
    document.querySelector('main')?.append(created);
    created.focus();
    return created;
  });
  await page.keyboard.press('Control+V');
  return field.evaluate((filled) => {
    filled.remove();
    return filled.value;
  });
}

describe('one animal', () => {
  it('is shown with exact numbers, without the deprecated operation, is copied also on plain http, and gives its category and status to another one', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname + new URL(request.url()).search));
    await open(`/pets/${id}`);
    await heading('Rex').waitFor();
    await page.getByText('9223372036854775807', { exact: true }).waitFor();
    await page.getByRole('main').getByText('Pending', { exact: true }).waitFor();
    expect(await page.title()).toContain('Rex');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    expect(await navigation.locator('[aria-current=page]').allInnerTexts()).toEqual(['Animals']);
    // A browser that translates the page does not translate its name, on the label too.
    const names = page.getByRole('main').getByText('Rex', { exact: true });
    expect(await names.evaluateAll((found) => found.map((name) => name.closest('[translate="no"]') !== null))).toEqual([
      true,
      true,
    ]);
    await page.reload();
    await heading('Rex').waitFor();
    expect(requested).toContain(`/v1/pets?id=${id}`);
    expect(requested.filter((path) => path.startsWith('/v1/pets/'))).toEqual([]);

    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(focusedText).toBe('Copied');
    expect(await pasted()).toBe(store.url(`/pets/${id}`));

    await page.getByRole('link', { name: 'Add another' }).click();
    await heading('Add animal').waitFor();
    expect(await page.getByLabel('Category number').inputValue()).toBe('9223372036854775807');
    expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  });

  it('appears immediately when it is opened from the list, and leads back to its row', async () => {
    await open('/pets?order=asc');
    await page.route('**/v1/pets?id=*', () => undefined);
    await page.getByRole('link', { name: 'Rex' }).click();
    await heading('Rex').waitFor();
    await page.getByRole('main').getByText('Pending', { exact: true }).waitFor();
    await page.unroute('**/v1/pets?id=*');
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await heading('Animals').waitFor();
    await expect.poll(focusedText).toBe('Rex');
  });
});

it('a record on a very wide screen has the list next to it, whose links keep the focus, and Back leads to the list', async () => {
  await page.setViewportSize({ width: 1920, height: 1000 });
  await open('/pets?order=asc');
  await page.getByRole('link', { name: 'Ada' }).click();
  await heading('Ada').waitFor();
  const list = page.getByRole('navigation', { name: 'List' });
  expect(await list.getByRole('link').allInnerTexts()).toEqual(['Ada', 'Rex', 'Zoe']);
  expect(await list.locator('[aria-current=page]').allInnerTexts()).toEqual(['Ada']);
  await list.getByRole('link', { name: 'Rex' }).press('Enter');
  await heading('Rex').waitFor();
  expect([await focusedText(), await list.locator('[aria-current=page]').innerText()]).toEqual(['Rex', 'Rex']);
  expect(await violationsInAllLooks(page)).toEqual([]);
  await page.goBack();
  await heading('Animals').waitFor();
  await expect.poll(focusedText).toBe('Rex');
});

describe('an address', () => {
  /** The search of the page leads to the search field. Then the link leads to the list. */
  async function leave(link: string): Promise<void> {
    await page.getByRole('button', { name: 'Search' }).click();
    await expect.poll(async () => (await focus(page)).name).toBe('Find an animal');
    await page.getByRole('main').getByRole('link', { name: link }).click();
    await heading('Animals').waitFor();
  }

  it('with a number that no animal has, or that is none, shows "Animal not found", and any other one "Page not found"', async () => {
    await open('/nowhere');
    await heading('Page not found').waitFor();
    await leave('Show all animals');
    for (const number of ['9999999', '9223372036854775808', 'rex']) {
      await open(`/pets/${number}`);
      const title = page.getByRole('heading', { level: 1 });
      await expect.poll(() => title.innerText(), { message: number }).toBe('Animal not found');
      await leave('Animals');
    }
  });
});
