import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations } from './support/accessibility.js';
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

const looks = [412, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** The violations in the present state, at each width and in each colour scheme. */
async function violationsInAllLooks(): Promise<string[]> {
  const all: string[] = [];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (isDark) => document.documentElement.classList.contains('dark-mode') === isDark,
      colorScheme === 'dark',
    );
    all.push(...(await violations(page)).map((violation) => `${width} px, ${colorScheme}: ${violation}`));
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrollWidth > width) all.push(`${width} px: scrolls sideways to ${scrollWidth} px`);
  }
  return all;
}

describe('/docs has no axe violation and no sideways scrolling, light and dark, at 412 and 1280 px,', () => {
  beforeEach(async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url(`/docs#key=${key}`));
    await operation('listPets').waitFor();
  });

  it('when it opens, and in the dialog before and after Logout', async () => {
    expect(await violationsInAllLooks()).toEqual([]);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violationsInAllLooks()).toEqual([]);
    await page.getByRole('button', { name: 'Logout' }).click();
    expect(await violationsInAllLooks()).toEqual([]);
  });

  it('with the introduction open', async () => {
    await page.getByText('How to use the API').click();
    await page.getByRole('heading', { name: 'Idempotent retries' }).waitFor();
    expect(await violationsInAllLooks()).toEqual([]);
  });

  it.each(['listPets', 'createPet', 'getPet'])('with %s executed', async (name) => {
    await execute(operation(name));
    expect(await violationsInAllLooks()).toEqual([]);
  });
});

describe('/docs', () => {
  it('follows the colour scheme of the system', async () => {
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
