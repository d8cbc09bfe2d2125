import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { violations } from './support/accessibility.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { signOut } from './support/page.js';
import { Store } from './support/store.js';

const height = 860;
let store: Store;
let page: Page;

/** 25 animals, every third one sold. All tests use one phone, which was signed in by a link. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(25, (number) => ({ status: number % 3 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets', {
    viewport: { width: 412, height },
    hasTouch: true,
    isMobile: true,
  }));
});

const card = () =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByText(/^Number /) });
const bar = () => page.getByRole('navigation', { name: 'Main' });
const field = () => page.getByRole('combobox', { name: 'Find an animal' });

async function open(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
}

it('the first animal starts in the upper fifth of the screen, also on the narrowest one', async () => {
  await page.getByRole('button', { name: 'Stay signed in on this device' }).waitFor();
  for (const path of ['/pets?q=animal&status=available', '/pets']) {
    await open(path);
    for (const width of [320, 412]) {
      await page.setViewportSize({ width, height });
      await card().first().waitFor();
      expect((await card().first().boundingBox())?.y, path).toBeLessThanOrEqual(height / 5);
      expect(await violations(page)).toEqual([]);
    }
  }
});

it('the header and the navigation cover no animal, and Back returns to its place', async () => {
  const rows = page.locator('[data-scroll-restoration-id]');
  const last = page.getByRole('link', { name: 'Animal 8' });
  await last.scrollIntoViewIfNeeded();
  const [header, place, navigation] = [
    await page.getByRole('banner').boundingBox(),
    await rows.boundingBox(),
    await bar().boundingBox(),
  ];
  expect([header?.y, place?.y]).toEqual([0, header?.height]);
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
  const scrolled = () => rows.evaluate(({ scrollTop }) => scrollTop);
  const before = await scrolled();
  expect(before).toBeGreaterThan(500);
  await last.tap();
  await page.getByRole('heading', { name: 'Animal 8' }).waitFor();
  await expect.poll(scrolled).toBe(0);
  await page.goBack();
  await last.waitFor();
  await expect.poll(scrolled).toBe(before);
});

it('animals are selected by touch, and their bar is above the navigation', async () => {
  expect(await bar().getByRole('link').or(bar().getByRole('button')).allInnerTexts()).toEqual([
    'Animals',
    'Overview',
    'Add',
    'Scan',
  ]);
  const checkbox = page.getByRole('checkbox', { name: 'Select Animal 25', exact: true });
  expect(await checkbox.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Print and export' }).tap();
  await page.getByRole('menuitem', { name: 'Select animals for labels' }).tap();
  for (const name of ['Animal 25', 'Animal 23'])
    await card()
      .filter({ hasText: name })
      .tap({ position: { x: 200, y: 10 } });
  const selection = page.getByRole('region', { name: 'Selection' });
  const isAbove = async () => {
    const [above, navigation] = [await selection.boundingBox(), await bar().boundingBox()];
    return (above?.y ?? 0) + (above?.height ?? 0) <= (navigation?.y ?? 0);
  };
  await expect.poll(isAbove).toBe(true);
  expect(await violations(page)).toEqual([]);
  await selection.getByText('2 selected').waitFor();
  await selection.getByRole('link', { name: 'Print labels' }).tap();
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText('2 labels.').waitFor();
  expect(await labels.locator('bdi:first-child').allInnerTexts()).toEqual(['Animal 23', 'Animal 25']);
});

it('every target of the list is at least 44 px high', async () => {
  await open('/pets');
  await card().first().waitFor();
  const small = await page
    .locator('button, select, header a, nav a, footer a, li')
    .evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML.slice(0, 120)),
    );
  expect(small).toEqual([]);
});

/** Fields with a text of less than 16 px, to which an iPhone zooms. */
const smallFields = () =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'input:not([type=checkbox], [type=radio], [type=file]), select, textarea',
      ),
    ]
      .filter((input) => input.checkVisibility() && Number.parseFloat(getComputedStyle(input).fontSize) < 16)
      .map((input) => input.outerHTML.slice(0, 100)),
  );

it('adding, scanning and finding are within one tap of every page, and no field makes an iPhone zoom', async () => {
  const parts = [field(), bar().getByRole('link', { name: 'Add' }), bar().getByRole('button', { name: 'Scan' })];
  for (const path of ['/overview', '/pets/new', '/pets/7', '/labels', '/export', '/nowhere', '/pets', '/import']) {
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
  await page.getByRole('button', { name: 'Check rows' }).tap();
  await page.getByRole('button', { name: 'Correct row 2' }).tap();
  expect(await smallFields()).toEqual([]);
  await parts[2]?.tap();
  await page.getByRole('dialog', { name: 'Scan a label' }).getByRole('button', { name: 'Close' }).tap();
  await parts[1]?.tap();
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await signOut(page);
  await page.getByRole('textbox', { name: 'Key' }).waitFor();
  expect(await smallFields()).toEqual([]);
});
