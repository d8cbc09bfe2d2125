import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { layoutShifts, recordLayoutShifts } from './support/layout-shifts.js';
import { api, holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 45 animals: 30 available, 15 sold. All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(45, (number) => ({
    categoryId: BigInt(number),
    status: number % 3 ? 'available' : 'sold',
  }));
  ({ page } = await store.visit('/pets'));
});

const rows = (): Locator => page.locator('tbody tr, main li');
const link = (name: string | RegExp) => page.getByRole('link', { name });

/** 30 animals, 20 per page. Without a filter, the address opens the last list. */
const list = '/pets?status=available';

/** Loads a page, whose width may be new. */
async function open(path: string, width = 1280, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

it('the list has compact rows for a mouse, and keeps toolbar, headings and pages visible', async () => {
  await page.getByRole('combobox', { name: 'Animals per page' }).selectOption('50');
  await rows().nth(44).waitFor();
  const height = await rows()
    .first()
    .evaluate((row) => row.getBoundingClientRect().height);
  expect(height).toBeGreaterThanOrEqual(36);
  expect(height).toBeLessThanOrEqual(40);
  await page.evaluate(() => scrollTo(0, 600));
  const pageSize = page.getByRole('combobox', { name: 'Animals per page' });
  const parts = [link('Petstore'), link(/^Sold/), page.getByRole('columnheader', { name: 'Name' }), pageSize];
  for (const part of parts) {
    // Playwright scrolls to an element that is covered or out of view.
    await part.click({ trial: true });
  }
  expect(await page.evaluate(() => scrollY)).toBe(600);
});

describe('a slow answer', () => {
  beforeAll(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

  it('moves nothing on the page when it arrives, on a wide screen and on a phone', async () => {
    // The service may still have the counts of another test.
    const categories = async () => (await store.service.fetch('/categories.json')).json() as Promise<unknown>;
    await expect.poll(categories).toHaveLength(45);
    await recordLayoutShifts(page);
    for (const width of [1280, 412]) {
      for (const [path, loaded] of [
        [list, rows().nth(19)],
        ['/pets?limit=50&status=sold', rows().nth(14)],
        ['/overview', page.getByRole('rowheader', { name: 'Category 45' })],
        ['/pets/7', page.getByText('Category number')],
        ['/pets/new', page.getByRole('textbox', { name: 'Name' })],
        ['/pets/404404', page.getByRole('heading', { name: 'Animal not found' })],
      ] as const) {
        const letGo = await holdRequests(page, api);
        await open(path, width);
        letGo();
        await expect.poll(() => loaded.isVisible()).toBe(true);
        expect(await layoutShifts(page), `${path} at ${width} px`).toEqual([]);
        await page.unrouteAll();
      }
    }
  });
});

it('names in scripts that are written from right to left start where the other names start: in the table, the cards and the Overview', async () => {
  await store.add({ name: 'שלום', categoryId: 7n });
  /** Where the text of both names starts. */
  const starts = (within: Locator) =>
    within.locator('bdi', { hasText: /^(שלום|Animal 45)$/ }).evaluateAll((names) =>
      names.map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getBoundingClientRect().x;
      }),
    );
  const isAligned = async (within: Locator) => {
    const [first, second, ...others] = await starts(within);
    return first !== undefined && first === second && others.length === 0;
  };
  await open('/pets?limit=20');
  const main = page.getByRole('main');
  for (const width of [1280, 412]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => isAligned(main), { message: `${width} px` }).toBe(true);
  }
  await open('/overview');
  await expect.poll(() => isAligned(page.getByRole('region', { name: 'Newest animals' }))).toBe(true);
});

describe('with a font size of 24 px in the browser', () => {
  const setFontSize = async (size: number) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
    await session.detach();
  };
  const rowHeight = () =>
    rows()
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);

  /** What scrolls sideways, and choices whose text is cut. */
  const cut = () =>
    page.evaluate(() => {
      const isCut = (node: Element) => node.clientWidth > 0 && node.scrollWidth > node.clientWidth;
      const all = 'html, [data-scroll-restoration-id], main label';
      return [...document.querySelectorAll<HTMLElement>(all)].filter(isCut).map((node) => node.innerText.slice(0, 40));
    });

  it('rows grow, nothing scrolls sideways, and no choice is cut', async () => {
    await open('/pets?limit=20', 1600);
    await rows().first().waitFor();
    const before = await rowHeight();
    await setFontSize(24);
    await expect.poll(rowHeight).toBeGreaterThanOrEqual(before * 1.45);
    for (const path of ['/pets?limit=20', '/pets/7', '/overview', '/pets/new']) {
      await open(path, 1600);
      if (path.startsWith('/pets?')) await rows().first().waitFor();
      for (const width of [1600, 1280, 412, 320]) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, width, await cut()]).toEqual([path, width, []]);
      }
    }
    await setFontSize(16);
  });
});

describe('at a zoom of 200 % and of 400 %', () => {
  const sizes = [
    { width: 640, height: 450 },
    { width: 320, height: 225 },
  ];
  const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth);

  it('the pages, the search and the menu do not scroll sideways, and pages show every element that has the focus', async () => {
    for (const path of ['/pets/7', '/pets/new', '/pets/404404', '/nowhere', list]) {
      await open(path, 640);
      if (path === list) await rows().first().waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect([path, await scrollWidth()]).toEqual([path, size.width]);
        expect(await hiddenStops(), `${path} at ${size.width} px`).toEqual([]);
      }
    }
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
      await page.getByRole('option').first().waitFor();
      expect(await scrollWidth()).toBe(size.width);
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click({ trial: true });
      expect(await scrollWidth()).toBe(size.width);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
  });
});

/** Presses Tab through the page. Returns the elements that had the focus while they were covered or out of view. */
async function hiddenStops(): Promise<string[]> {
  const stops: FocusStop[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusStop);
    if (!stop) break;
    stops.push(stop);
  }
  expect(stops).not.toEqual([]);
  return stops.filter(({ isVisible }) => !isVisible).map(({ html }) => html);
}

interface FocusStop {
  html: string;
  /** Whether the middle of the part in view is on top. */
  isVisible: boolean;
}

/** Runs in the page. Returns nothing if no element has the focus. */
function focusStop(): FocusStop | undefined {
  const element = document.activeElement ?? document.body;
  if (element === document.body) return undefined;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const onTop = document.elementFromPoint(x, y);
  const isVisible = onTop !== null && (element.contains(onTop) || onTop.contains(element));
  return { html: element.outerHTML.slice(0, 120), isVisible };
}
