import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { layoutShifts, recordLayoutShifts } from './support/layout-shifts.js';
import { api, holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 45 animals: 30 available, 15 sold. All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.addNumbered(45, (number) => ({ categoryId: BigInt(number), status: number % 3 ? 'available' : 'sold' }));
  ({ page } = await store.visit('/pets'));
});

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
const headingY = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? NaN;
const resize = (width: number, height = 900) => page.setViewportSize({ width, height });
const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth);

/** The pages of the counter, and what shows that their content has loaded. */
const pages = [
  ['/pets?status=available', () => link('Animal 44')],
  ['/pets/7', () => heading('Animal 7')],
  ['/pets/new', () => page.getByRole('textbox', { name: 'Name' })],
  ['/pets/404404', () => heading('Animal not found')],
  ['/overview', () => page.getByRole('rowheader', { name: 'Category 45' })],
] as const;

it('the header stays in view while a list scrolls, and the headings of the columns below it', async () => {
  await resize(1280);
  await page.goto(store.url('/pets?limit=50'));
  await link('Animal 1').waitFor();
  await page.evaluate(() => scrollTo(0, 600));
  const top = () =>
    page.getByRole('banner').evaluate((header) => {
      const { left, top: y } = header.getBoundingClientRect();
      return [scrollY, y, header.contains(document.elementFromPoint(left + 1, y + 1))];
    });
  await expect.poll(top).toEqual([600, 0, true]);
  const isOnTop = await page.getByRole('columnheader', { name: 'Name' }).evaluate((column) => {
    const { left, top: y } = column.getBoundingClientRect();
    return column.contains(document.elementFromPoint(left + 1, y + 1));
  });
  expect(isOnTop).toBe(true);
});

/** The two kinds of answers of the service, by the URLs of their requests. */
const kinds = {
  permissions: (url: string) => url.endsWith('/key.json'),
  data: (url: string) => !url.endsWith('/key.json'),
};

/** Holds the answers of one kind, until the returned function is called. */
function hold(kind: keyof typeof kinds): Promise<() => void> {
  return holdRequests(page, api, (route) => kinds[kind](route.request().url()));
}

it.each([
  [1280, 'data', 'permissions'],
  [412, 'permissions', 'data'],
] as const)('at %i px, the slow %s and then the slow %s move nothing on the page', async (width, first, second) => {
  // The service may still have the counts of another test.
  const categories = async () => (await store.service.fetch('/categories.json')).json() as Promise<unknown>;
  await expect.poll(categories).toHaveLength(45);
  await recordLayoutShifts(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await resize(width);
  const inProgress = trackRequests();
  for (const [path, loaded] of pages) {
    const release = { permissions: await hold('permissions'), data: await hold('data') };
    await page.goto(store.url(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    const before = await headingY();
    for (const kind of [first, second]) {
      release[kind]();
      await expect.poll(() => inProgress(kinds[kind])).toEqual([]);
    }
    await loaded().waitFor();
    // "Animal not found" has another font size.
    expect(Math.abs((await headingY()) - before), path).toBeLessThan(4);
    expect(await layoutShifts(page), path).toEqual([]);
    await page.unrouteAll();
  }
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** Returns a function that lists the URLs that are requested, after two frames, which may request others. */
function trackRequests(): (isListed: (url: string) => boolean) => Promise<string[]> {
  const requests = new Set<Request>();
  page.on('request', (request) => requests.add(request));
  const end = (request: Request) => requests.delete(request);
  page.on('requestfinished', end).on('requestfailed', end);
  return async (isListed) => {
    await page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    });
    return Array.from(requests, (request) => request.url()).filter(isListed);
  };
}

it('names in scripts that are written from right to left start where the other names start, in rows and cards', async () => {
  await store.add({ name: 'שלום', categoryId: 7n });
  await page.goto(store.url('/pets'));
  const startOf = (name: string) =>
    link(name).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().x;
    });
  for (const width of [1280, 412]) {
    await resize(width);
    await expect
      .poll(async () => (await startOf('שלום')) - (await startOf('Animal 45')), { message: `${width} px` })
      .toBe(0);
  }
});

it.each([
  ['200 %', 640, 450],
  ['400 %', 320, 225],
])('at a zoom of %s, nothing scrolls sideways, and each element that has the focus is in view', async (_, ...size) => {
  const [width] = size;
  await resize(...size);
  for (const [path, loaded] of pages) {
    await page.goto(store.url(path));
    await loaded().waitFor();
    expect([path, await scrollWidth()]).toEqual([path, width]);
    expect(await hiddenStops(), path).toEqual([]);
  }
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
  await page.getByRole('option').first().waitFor();
  expect(await scrollWidth()).toBe(width);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click({ trial: true });
  expect(await scrollWidth()).toBe(width);
});

/** Presses Tab through the page. Returns the elements that had the focus while they were covered or out of view. */
async function hiddenStops(): Promise<string[]> {
  const hidden: string[] = [];
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(focusStop);
    if (stop === undefined) {
      expect(presses).toBeGreaterThan(5);
      return hidden;
    }
    if (!stop.isVisible) hidden.push(stop.html);
  }
  return hidden;
}

/** Runs in the page. Returns nothing if no element has the focus, and whether the middle of its part in view is on top. */
function focusStop(): { html: string; isVisible: boolean } | undefined {
  const focused = document.activeElement ?? document.body;
  if (focused === document.body) return undefined;
  // The input of a chip is one pixel; its label shows the focus.
  const label = focused instanceof HTMLInputElement && focused.offsetWidth <= 1 ? focused.labels?.[0] : null;
  const element = label ?? focused;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const onTop = document.elementFromPoint(x, y);
  const isVisible = onTop !== null && (element.contains(onTop) || onTop.contains(element));
  return { html: element.outerHTML.slice(0, 120), isVisible };
}

// The last test: the page keeps that font size.
it('with a font size of 24 px in the browser, rows grow, nothing scrolls sideways, and no choice is cut', async () => {
  await resize(1600);
  await page.goto(store.url('/pets?status=available'));
  const session = await page.context().newCDPSession(page);
  const rowHeight = async () => (await page.getByRole('row', { name: 'Animal 44' }).boundingBox())?.height ?? 0;
  await expect.poll(rowHeight).toBeGreaterThan(0);
  const before = await rowHeight();
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 24 } });
  await expect.poll(rowHeight).toBeGreaterThanOrEqual(before * 1.45);
  const problems: unknown[] = [];
  for (const [path, loaded] of pages) {
    await page.goto(store.url(path));
    await loaded().waitFor();
    for (const width of [1600, 1280, 412, 320]) {
      await resize(width);
      const found = await page.evaluate(cutParts);
      if (found.length > 0) problems.push([path, width, found]);
    }
  }
  expect(problems).toEqual([]);
});

/** Runs in the page. Returns the page if it scrolls sideways, and choices whose text is cut. */
function cutParts(): string[] {
  const parts = [...document.querySelectorAll<HTMLElement>('html, main label')];
  const isCut = (part: Element) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth;
  return parts.filter(isCut).map((part) => `${part.localName}: ${part.innerText.slice(0, 40)}`);
}
