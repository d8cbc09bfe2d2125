import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];
let id: bigint;

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Ada', categoryId: 5n });
  ({ id } = await store.add({ name: 'Rex', categoryId: 9223372036854775807n, status: 'pending' }));
  await store.add({ name: 'Zoe', categoryId: 5n, status: 'sold' });
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string): Promise<string[]> {
  ({ page, failures } = await store.visit(path));
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname + new URL(request.url()).search));
  return requested;
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const pasted = () => page.evaluate(() => (document.querySelector('textarea.paste') as HTMLTextAreaElement).value);

describe('one animal', () => {
  it('is shown with exact numbers, without the deprecated operation', async () => {
    const requested = await visit(`/pets/${id}`);
    await heading('Rex').waitFor();
    await page.getByText('9223372036854775807', { exact: true }).waitFor();
    await page.getByText('Pending').waitFor();
    expect(await page.title()).toContain('Rex');
    await page.reload();
    await heading('Rex').waitFor();
    expect(requested).toContain(`/v1/pets?id=${id}`);
    expect(requested.filter((path) => path.startsWith('/v1/pets/'))).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('appears immediately when it is opened from the list', async () => {
    await visit('/pets');
    await page.route('**/v1/pets?id=*', () => undefined);
    await page.getByRole('link', { name: 'Rex' }).click();
    await heading('Rex').waitFor();
    await page.getByText('Pending').waitFor();
    expect(failures).toEqual([]);
  });

  it.each([
    ['Copy number', () => String(id)],
    ['Copy link', () => store.url(`/pets/${id}`)],
  ])('is copied by "%s", also on plain http', async (button, expected) => {
    await visit(`/pets/${id}`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    const copy = page.getByRole('button', { name: button });
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copied');
    await page.evaluate(() => {
      const field = Object.assign(document.createElement('textarea'), { className: 'paste' });
      document.querySelector('main')?.append(field);
      field.focus();
    });
    await page.keyboard.press('Control+V');
    expect(await pasted()).toBe(expected());
    expect(failures).toEqual([]);
  });

  it('is found by its number with leading zeros', async () => {
    await visit(`/pets/00${id}`);
    await heading('Rex').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/pets/${id}`);
    expect(failures).toEqual([]);
  });

  it('leads to its neighbors in the list, and the keyboard can go on', async () => {
    await visit('/pets?order=asc');
    await page.getByRole('link', { name: 'Ada' }).click();
    await heading('Ada').waitFor();
    expect(await page.getByRole('link', { name: 'Previous' }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('link', { name: 'Next' }).focus();
    for (const name of ['Rex', 'Zoe']) {
      await page.keyboard.press('Enter');
      await heading(name).waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Next');
    }
    await page.goBack();
    await heading('Animals').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Zoe');
    expect(failures).toEqual([]);
  });

  it('leads to the animals with the next numbers when it was opened by its address', async () => {
    await visit(`/pets/${id}`);
    for (const [button, name] of [
      ['Previous', 'Ada'],
      ['Next', 'Rex'],
      ['Next', 'Zoe'],
    ] as const) {
      await page.getByRole('link', { name: button }).and(page.locator('[href]')).click();
      await heading(name).waitFor();
    }
    expect(failures).toEqual([]);
  });

  it('leads over the border of a page of the list, and back to the page that has the animal', async () => {
    for (let number = 1; number <= 39; number += 1) await store.add({ name: `Many ${number}`, categoryId: 6n });
    await visit('/pets');
    await page.getByRole('link', { name: 'Many 20' }).click();
    await heading('Many 20').waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await heading('Many 19').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Next' }).click();
    await heading('Many 18').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
    await page.getByText('21–40 of 42').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Many 18');
    await page.getByRole('link', { name: 'Many 19' }).click();
    await page.getByRole('link', { name: 'Previous' }).click();
    await heading('Many 20').waitFor();
    await page.goBack();
    await page.getByText('21–40 of 42').waitFor();
    expect(failures).toEqual([]);
  });

  it('gives its category and status to another one', async () => {
    await visit(`/pets/${id}`);
    await page.getByRole('link', { name: 'Add another like this' }).click();
    await page.getByRole('heading', { level: 1, name: 'Add animal' }).waitFor();
    expect(await page.getByLabel('Category number').inputValue()).toBe('9223372036854775807');
    expect(await page.getByRole('radio', { name: 'Pending' }).isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    expect(failures).toEqual([]);
  });

  it.each(['9999999', '0', '9223372036854775808', 'rex', '1.5'])('does not exist for number %s', async (number) => {
    await visit(`/pets/${number}`.replace('1.5', '1%2C5'));
    await heading('Animal not found').waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    expect((await focus(page)).name).toBe('Find an animal');
    await page.getByRole('link', { name: 'Animals' }).click();
    await heading('Animals').waitFor();
    expect(failures).toEqual([]);
  });
});

it('an unknown address shows "Page not found"', async () => {
  await visit('/nowhere');
  await heading('Page not found').waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  expect((await focus(page)).name).toBe('Find an animal');
  await page.getByRole('link', { name: 'Show all animals' }).click();
  await heading('Animals').waitFor();
  expect(failures).toEqual([]);
});
