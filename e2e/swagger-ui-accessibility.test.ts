import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
/** All tests use one page: loading the documentation takes seconds. */
beforeAll(async () => {
  store = await Store.open();
  ({ page } = await openPage(store.browser));
  await page.goto(store.url(`/docs#key=${key}`));
  await operation('listPets').waitFor();
});
afterAll(() => store.close());

const operation = (operationId: string) => page.locator(`#operations-animals-${operationId}`);

async function execute(block: Locator): Promise<void> {
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).click();
  await block.locator('.live-responses-table').waitFor();
}

describe('/docs has no axe violation and no sideways scrolling, light and dark, at 412 and 1280 px,', () => {
  it('when it opens, in the dialog, after Logout, and with everything open and executed', async () => {
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await violationsInAllLooks(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Logout' }).click();
    await dialog.getByRole('textbox').fill(key);
    expect(await violationsInAllLooks(page, '[role=dialog]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Authorize' }).click();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('How to use the API').click();
    await page.getByRole('heading', { name: 'Idempotent retries' }).waitFor();
    for (const name of ['listPets', 'createPet', 'getPet']) await execute(operation(name));
    expect(await violationsInAllLooks(page)).toEqual([]);
  });
});

describe('/docs', () => {
  it('lists the deprecated operation last', async () => {
    const isDeprecated = (blocks: Element[]) => blocks.map((block) => block.matches('.opblock-deprecated'));
    expect(await page.locator('.opblock').evaluateAll(isDeprecated)).toEqual([false, false, true]);
  });

  it('leaves space between the type of a parameter and its field', async () => {
    for (const name of ['listPets', 'getPet']) {
      const rows = await operation(name).locator('tr[data-param-name]').all();
      expect(rows).not.toEqual([]);
      for (const row of rows) {
        const field = await row.locator('input, select').first().boundingBox();
        const text = await row.locator('.parameter__type').evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getBoundingClientRect().right;
        });
        expect((field?.x ?? 0) - text).toBeGreaterThanOrEqual(8);
      }
    }
  });

  it('has the color scheme of the system after a reload, and follows it', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.reload();
    expect(await background()).toBe('rgb(20, 25, 23)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(247, 249, 248)');
  });

  it('shows after a reload that the key is set, and curl commands with a variable instead of the key', async () => {
    const authorize = page.getByRole('button', { name: 'Authorize (the key is set)' });
    await authorize.waitFor();
    await execute(operation('listPets'));
    const command = await operation('listPets').locator('.curl-command pre').innerText();
    expect(command).toContain('-H "Authorization: Bearer $PETSTORE_API_KEY"');
    expect(await page.locator('body').innerText()).not.toContain(key);
    await authorize.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('button', { name: 'Authorize', exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  it('links back to the admin, and to the document', async () => {
    for (const path of ['/openapi.json', '/openapi.yaml']) {
      expect(await page.getByRole('navigation').locator(`a[href="${path}"]`).count()).toBe(1);
    }
    await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click();
    await page.locator('#swagger-ui .opblock').first().waitFor();
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
  });
});
