import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AddForm } from './support/add-form.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { errors, openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
});
afterAll(() => store.close());

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await openPage(store.browser, options);
  onTestFinished(() => page.close());
  return page;
}

describe('a browser that cannot run the code of Petstore', () => {
  const notice = (page: Page) => page.getByText(/Chrome and Edge 111, Firefox 115, Safari 16\.4/);

  it.each([
    ['whose JavaScript lacks a part of the syntax', 'class {'],
    ['that lacks a function at the start', 'undefined.call()'],
    ['that loads no modules', undefined],
  ])('%s says which browsers work', async (_, code) => {
    const page = await open();
    await page.route('**/assets/index-*.js', (route) =>
      code === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: code }),
    );
    await page.goto(store.url('/pets'));
    await notice(page).waitFor();
    // The browser logs why the code did not start.
    errors.splice(0);
  });
});

it('every field has text of at least 16 px on a touch screen, so that an iPhone does not zoom', async () => {
  const page = await open({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  const smallFields = () =>
    page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'input:not([type=checkbox], [type=radio], [type=file]), select, textarea',
        ),
      ]
        .filter((field) => field.checkVisibility() && Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => `${location.pathname}: ${field.outerHTML.slice(0, 100)}`),
    );
  await page.goto(store.url('/pets'));
  await page.getByRole('textbox', { name: 'Key' }).waitFor();
  const found = await smallFields();
  await page.goto(store.url(`/pets#key=${key}`));
  await page.getByRole('link', { name: 'Rex' }).waitFor();
  for (const path of ['/pets', '/pets/new', '/labels', '/export', '/import']) {
    await page.goto(store.url(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main :is(input, select, textarea)').first().waitFor({ state: 'attached' });
    found.push(...(await smallFields()));
  }
  await chooseImportFile(page, 'name,category\nRex,\n');
  await importStep(page, 'Match the columns of delivery.csv').waitFor();
  found.push(...(await smallFields()));
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Correct row 2' }).click();
  expect([...found, ...(await smallFields())]).toEqual([]);
});

it('an error page says that animals were added before', async () => {
  const page = await open();
  await page.goto(store.url(`/pets/new#key=${key}`));
  const form = await AddForm.on(page);
  await form.enter({ name: 'Bella', category: '7' });
  await form.submit();
  await form.added.waitFor();
  // The next render of the page fails: the errors of the empty form.
  await page.evaluate(() => {
    Object.assign(Array.prototype, { toSorted: undefined });
    document.querySelector<HTMLFormElement>('main form')?.requestSubmit();
  });
  await page.getByRole('heading', { name: "This page can't be shown" }).waitFor();
  await page.getByText(/Before this error: Added .*Bella.* as number \d+\. Do not add it again\./).waitFor();
  errors.splice(0);
});
