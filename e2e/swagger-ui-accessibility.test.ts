import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';
import { authorize, closeDialog, execute, expand, operation } from './support/swagger-ui.js';

let store: Store;
let page: Page;

/** All tests use one page, in which one test continues after the other. */
beforeAll(async () => {
  store = await Store.open();
  ({ page } = await openPage(store.browser));
});

/** The rules of axe that Swagger UI's own markup breaks, and where. */
const brokenBySwaggerUi: Readonly<Record<string, string>> = {
  'heading-order': 'the headings of tags, of the dialog and of responses skip levels',
  'label-content-name-mismatch': 'the button "Logout" of the dialog has the label "Remove authorization"',
  'landmark-unique': 'the responses of two operations on one path have the same id',
  'nested-interactive': 'the button that opens an operation contains a link',
  region: 'the description and the servers stand outside of its main landmark',
};

/** The class of the page in the themes of the device. */
const themes = { light: '', dark: 'dark-mode' };

/** Returns what makes the page unreadable, or its controls unusable, in both themes and widths. */
async function problems(): Promise<string[]> {
  const all: string[] = [];
  for (const [colorScheme, widths] of [
    ['light', [1280, 412]],
    ['dark', [412, 1280]],
  ] as const) {
    // Swagger UI asks for the theme of the device only when it starts.
    await page.emulateMedia({ colorScheme });
    await page.evaluate((name) => (document.documentElement.className = name), themes[colorScheme]);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      if (scrollWidth > width) all.push(`scrolls sideways to ${scrollWidth} px`);
    }
    // The rules are checked at the last width.
    const found = await violations(page);
    const isOurs = (violation: string) =>
      !Object.keys(brokenBySwaggerUi).some((rule) => violation.startsWith(`${rule}:`));
    all.push(...found.filter(isOurs).map((violation) => `${colorScheme}: ${violation}`));
  }
  return all;
}

describe('/docs', () => {
  it.each(['light', 'dark'] as const)(
    'has the %s theme of the device, and shows which control has the focus',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(store.url('/docs'));
      await operation(page, 'listPets').waitFor();
      expect(await page.evaluate(() => document.documentElement.className)).toBe(themes[colorScheme]);
      for (let stops = 0; stops < 15; stops += 1) {
        await page.keyboard.press('Tab');
        expect(await focus(page)).toMatchObject({ isBody: false, isVisible: true });
      }
    },
  );

  it('lists the deprecated operation last, and links to the document', async () => {
    const isDeprecated = (blocks: Element[]) => blocks.map((block) => block.matches('.opblock-deprecated'));
    expect(await page.locator('.opblock').evaluateAll(isDeprecated)).toEqual([false, false, true]);
    expect(await page.locator('.info a[href="/openapi.json"]').count()).toBe(1);
  });

  it('is readable, has names for its controls, and does not scroll sideways', { timeout: 180_000 }, async () => {
    expect(await problems()).toEqual([]);
    const dialog = await authorize(page, key);
    expect(await problems()).toEqual([]);
    await closeDialog(dialog);
    await page.getByText('How to use the API').click();
    await page.getByRole('heading', { name: 'Exact integers' }).waitFor();
    for (const name of ['listPets', 'createPet', 'getPet']) await execute(await expand(page, name));
    expect(await problems()).toEqual([]);
  });

  it('leaves space between the type of a parameter and its field', async () => {
    for (const name of ['listPets', 'getPet']) {
      const rows = await operation(page, name).locator('tr[data-param-name]').all();
      expect(rows).not.toEqual([]);
      for (const row of rows) {
        const field = await row.locator('input, select, button').first().boundingBox();
        const text = await row.locator('.parameter__type').evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getBoundingClientRect().right;
        });
        expect((field?.x ?? 0) - text).toBeGreaterThanOrEqual(8);
      }
    }
  });
});
