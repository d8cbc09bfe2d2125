import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { violations } from './support/accessibility.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { chooseInListMenu, signOut } from './support/page.js';
import { Store } from './support/store.js';

const height = 860;
let store: Store;
let page: Page;

/** 25 animals, every third one sold. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(25, (number) => ({ status: number % 3 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets', { viewport: { width: 412, height }, hasTouch: true, isMobile: true }));
});
beforeEach(() => open('/pets'));

const cards = () => page.getByRole('row').filter({ hasText: 'Number ' });
const card = (name: string) => page.getByRole('row', { name });
const bar = () => page.getByRole('navigation', { name: 'Main' });
const field = () => page.getByRole('combobox', { name: 'Find an animal' });

async function open(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
}

it('the first animal starts in the upper fifth of the screen, also on the narrowest one, and shows all its fields', async () => {
  for (const width of [320, 412]) {
    await page.setViewportSize({ width, height });
    await cards().first().waitFor();
    expect((await cards().first().boundingBox())?.y).toBeLessThanOrEqual(height / 5);
    expect((await cards().first().innerText()).split(/\n+/).toSorted()).toEqual([
      'Animal 25',
      'Available',
      'Category 7',
      'Number 25',
    ]);
    expect(await violations(page)).toEqual([]);
  }
});

it('the header and the navigation cover no animal, and Back returns to its place', async () => {
  const last = page.getByRole('link', { name: 'Animal 6' });
  await last.focus();
  const [header, row, navigation] = [
    await page.getByRole('banner').boundingBox(),
    await card('Animal 6').boundingBox(),
    await bar().boundingBox(),
  ];
  expect(row?.y).toBeGreaterThan(header?.height ?? height);
  expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
  const scrolled = () => page.evaluate(() => scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(500);
  await last.tap();
  await page.getByRole('heading', { name: 'Animal 6' }).waitFor();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await last.waitFor();
  await expect.poll(scrolled).toBe(before);
});

it('animals are selected by their boxes, and the bar is above the navigation', async () => {
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  expect(await box('Select Animal 25').isVisible()).toBe(false);
  await chooseInListMenu(page, 'Select animals');
  for (const name of ['Select Animal 25', 'All on this page', 'Select Animal 24']) await box(name).tap();
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByText('19 selected').waitFor();
  const [above, navigation] = [await selection.boundingBox(), await bar().boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
  expect(await violations(page)).toEqual([]);
  await selection.getByRole('button', { name: 'Cancel' }).tap();
  expect(await box('Select Animal 25').isVisible()).toBe(false);
});

it('every target of the list is at least 44 px high', async () => {
  await open('/pets?q=animal');
  await cards().first().waitFor();
  const small = await page
    .locator('button, select, header a, nav a, footer a, section[aria-label=Filters] a, tbody tr')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML.slice(0, 120)),
    );
  expect(small).toEqual([]);
});

/** Fields with a text of less than 16 px, to which an iPhone zooms. */
const smallFields = () =>
  page
    .locator('input:not([type=checkbox], [type=radio], [type=file]), select, textarea')
    .evaluateAll((inputs) =>
      inputs
        .filter((input) => input.checkVisibility() && Number.parseFloat(getComputedStyle(input).fontSize) < 16)
        .map((input) => input.outerHTML.slice(0, 100)),
    );

it('adding, scanning and finding are within one tap of every page, and no field makes an iPhone zoom', async () => {
  const parts = [field(), bar().getByRole('link', { name: 'Add' }), bar().getByRole('button', { name: 'Scan' })];
  for (const path of ['/overview', '/pets/new', '/pets/7', '/labels', '/export', '/nowhere', '/import']) {
    await open(path);
    for (const part of parts) await part.click({ trial: true });
    if (/new|labels|export|import/.test(path))
      await page.locator('main :is(input, select, textarea)').first().waitFor({ state: 'attached' });
    // Playwright would scroll to an element that is out of view.
    expect([path, await page.evaluate(() => scrollY), await smallFields()]).toEqual([path, 0, []]);
  }
  await chooseImportFile(page, 'name,category\nRex,\n');
  await importStep(page, 'Match the columns of delivery.csv').waitFor();
  expect(await smallFields()).toEqual([]);
  await parts[2]?.tap();
  await page.getByRole('dialog', { name: 'Scan a label' }).getByRole('button', { name: 'Close' }).tap();
  await parts[1]?.tap();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).waitFor();
  expect(await smallFields()).toEqual([]);
});
