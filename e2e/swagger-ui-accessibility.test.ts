import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
beforeAll(async () => {
  store = await Store.open();
});
afterEach(() => page.close());
afterAll(() => store.close());

const operation = (operationId: string) => page.locator(`#operations-animals-${operationId}`);

async function execute(block: Locator): Promise<void> {
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).click();
  await block.locator('.live-responses-table').waitFor();
}

describe('/docs has no axe violation and no sideways scrolling, light and dark, at 412 and 1280 px,', () => {
  it('when it opens, in the dialog, after Logout, and with everything open and executed', async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url(`/docs#key=${key}`));
    await operation('listPets').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await violationsInAllLooks(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('textbox').fill(key);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('How to use the API').click();
    await page.getByRole('heading', { name: 'Idempotent retries' }).waitFor();
    for (const name of ['listPets', 'createPet', 'getPet']) await execute(operation(name));
    expect(await violationsInAllLooks(page)).toEqual([]);
  });
});

describe('/docs', () => {
  it('follows the color scheme of the system', async () => {
    ({ page } = await openPage(store.browser, { colorScheme: 'dark' }));
    await page.goto(store.url('/docs'));
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe('rgb(20, 25, 23)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(247, 249, 248)');
  });

  it('links back to the admin, and to the document', async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url('/docs'));
    for (const path of ['/openapi.json', '/openapi.yaml']) {
      expect(await page.getByRole('navigation').locator(`a[href="${path}"]`).count()).toBe(1);
    }
    await page.getByRole('link', { name: 'Petstore', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
  });
});
