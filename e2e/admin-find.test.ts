import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isFocused } from './support/add-form.js';
import { failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, and start at the list. */
beforeAll(async () => {
  store = await Store.open('7,Dogs', '9,Ferrets', '10,Guinea pigs');
  const names = ['Rex', 'Zoë', 'T-Rex', 'Rex the Second', '2024', 'Tom & Jerry'];
  for (const name of names) await store.add({ name, categoryId: 7n });
  for (let count = 1; count <= 9; count += 1) await store.add({ name: 'Black ferret', categoryId: 9n });
  await store.add({ name: 'Rex', categoryId: 10n, status: 'sold' });
  ({ page } = await store.visit('/pets'));
});
beforeEach(async () => {
  await page.goto(store.url('/pets'));
  await heading('Animals').waitFor();
});

const field = () => page.getByRole('combobox', { name: 'Find an animal' });
const options = () => page.getByRole('listbox', { name: 'Animals found' }).getByRole('option');
const names = () => options().locator('> bdi:first-child').allInnerTexts();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const address = () => new URL(page.url()).pathname + new URL(page.url()).search;

/** Types as a hand scanner does: fast, with Enter at the end. */
async function scan(text: string): Promise<void> {
  await field().fill('');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

it('Enter opens the only animal that a number, an address or words mean, and empties the field', async () => {
  const animals = [
    ['#002', 'Zoë'],
    ['2024', '2024'],
    ['http://192.168.1.5:3000/pets/2', 'Zoë'],
    ['rex sec', 'Rex the Second'],
    ['ZOE', 'Zoë'],
    ['tom & -', 'Tom & Jerry'],
  ] as const;
  for (const [text, name] of animals) {
    await scan(text);
    // The page takes the focus when it has opened.
    await expect.poll(() => isFocused(heading(name)), { message: text }).toBe(true);
    expect([text, await field().inputValue()]).toEqual([text, '']);
  }
});

it('Enter opens the page or the filtered list that words mean', async () => {
  const addresses = [
    ['rex guinea pig', '/pets?q=rex&category=10'],
    ['avail', '/pets?status=available'],
    ['black', '/pets?q=black'],
    ['unicorn', '/pets?q=unicorn'],
    ['overv', '/overview'],
  ] as const;
  for (const [text, opened] of addresses) {
    await scan(text);
    await expect.poll(address, { message: text }).toBe(opened);
  }
});

describe('the list of the field', () => {
  it('offers the newest animals, marks their matches, and ends with all results', async () => {
    await field().fill('rex');
    await expect.poll(names).toEqual(['Rex', 'Rex the Second', 'T-Rex', 'Rex']);
    expect(await options().locator('mark').allInnerTexts()).toEqual(['Rex', 'Rex', 'Rex', 'Rex']);
    expect(await field().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading('Rex the Second').waitFor();
    await field().fill('ferret');
    await options().getByText('Black ferret').first().waitFor();
    expect(await options().count()).toBe(10);
    await options().getByText('Show all results').click();
    await heading('Results for “ferret”').waitFor();
  });

  it('offers the filters that words name, before the animals', async () => {
    await field().fill('rex dogs');
    await options().getByText('“rex” in Dogs').waitFor();
    await field().fill('rex sold');
    await options().getByText('“rex” · Sold').click();
    await expect.poll(address).toBe('/pets?q=rex&status=sold');
    expect(await field().inputValue()).toBe('rex');
    await field().fill('ferr');
    await options().getByText('Black ferret').first().waitFor();
    expect((await names())[0]).toBe('Ferrets');
  });

  it('sends one request when the person has stopped typing, not one for each key', async () => {
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('limit=8') && requests.push(request.url()));
    await field().pressSequentially('the second');
    await options().getByText('Rex the Second').waitFor();
    await expect.poll(() => requests.at(-1)).toContain('q=the%20second');
    // A busy machine may pause between two keys.
    expect(requests.length).toBeLessThan('the second'.length / 2);
    page.removeAllListeners('request');
  });

  it('says what to type if no word has a letter or a digit', async () => {
    await scan('&');
    const hint = page.getByRole('search').getByText('Type a letter or a number to search.');
    await hint.waitFor();
    await page.keyboard.press('Shift+Enter');
    expect([address(), await hint.isVisible(), await options().count()]).toEqual(['/pets', true, 0]);
  });
});

it('keeps the words while their results are shown, until × or Enter in the empty field ends the search', async () => {
  for (const end of [() => page.getByRole('search').getByRole('button', { name: 'Clear' }).click(), () => scan('')]) {
    await page.goto(store.url('/pets?q=rex&status=available'));
    await heading('Results for “rex”').waitFor();
    await expect.poll(() => field().inputValue()).toBe('rex');
    await end();
    await heading('Animals').waitFor();
    expect([address(), await field().inputValue()]).toEqual(['/pets?status=available', '']);
  }
  await field().fill('rex');
  await options().first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await heading('Results for “rex”').waitFor();
  expect([address(), await field().inputValue(), await options().count()]).toEqual(['/pets?q=rex', 'rex', 0]);
  // The next code of a scanner replaces the words.
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await heading('Zoë').waitFor();
  expect(await field().inputValue()).toBe('');
  await page.goBack();
  await heading('Results for “rex”').waitFor();
  expect(await field().inputValue()).toBe('rex');
});

it('when the service cannot be reached, finding by number opens the page of the animal, and by name shows the error and a retry', async () => {
  await page.context().route('**/v1/**', (route) => route.abort());
  await scan('77');
  await heading('Animal 77').waitFor();
  await page.getByRole('alert').getByText("Petstore doesn't answer").waitFor();
  await field().fill('T-Rex');
  await page.getByRole('search').getByText("Petstore doesn't answer.").waitFor();
  expect(await page.getByText('No animal found').count()).toBe(0);
  await page.context().unroute('**/v1/**');
  await options().getByText('Try again').click();
  await options().getByText('T-Rex').waitFor();
  expect(failures.splice(0).filter((failure) => !failure.startsWith('failed: '))).toEqual([]);
});
