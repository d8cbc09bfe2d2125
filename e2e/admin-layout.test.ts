import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus } from './support/accessibility.js';
import { layoutShifts, recordLayoutShifts } from './support/layout-shifts.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 45 animals: 30 available, 15 sold. */
beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 45; number += 1) {
    const status = number % 3 === 0 ? 'sold' : 'available';
    await store.add({ name: `Animal ${number}`, categoryId: BigInt(number), status });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

async function visit(path: string, width = 1280, height = 900): Promise<void> {
  ({ page, failures } = await store.visit(path, { viewport: { width, height } }));
}

const rows = (): Locator => page.locator('tbody tr, main li');
const link = (name: string | RegExp) => page.getByRole('link', { name });

/** Holds every answer of the service until the returned function is called. */
async function holdAnswers(): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/(v1\/.*|key\.json|categories\.json)$/, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

describe('the list', () => {
  it('shows cards on a phone, with name, status and number in view', async () => {
    await visit('/pets', 412);
    expect(await page.getByRole('table').count()).toBe(0);
    const card = page.getByRole('listitem').first();
    for (const part of [card.getByRole('link'), card.getByText('Sold'), card.getByText(/Number \d+/)]) {
      const box = await part.boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 412).toBe(true);
    }
    expect(failures).toEqual([]);
  });

  it('has compact rows for a mouse, and keeps toolbar, headings and pages visible', async () => {
    await visit('/pets?limit=50');
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
      await part.click({ trial: true, timeout: 5000 });
    }
    expect(await page.evaluate(() => scrollY)).toBe(600);
    expect(failures).toEqual([]);
  });
});

describe('a slow answer', () => {
  it('shows a placeholder, which stays invisible for 150 ms', async () => {
    await visit('/pets');
    const letGo = await holdAnswers();
    await link(/^Sold/).click();
    const placeholder = page.locator('section[aria-busy=true] > [aria-hidden]');
    await placeholder.waitFor({ state: 'attached' });
    const opacityAfter = (ms: number) =>
      placeholder.evaluate((element, time) => {
        for (const animation of element.getAnimations()) {
          animation.pause();
          animation.currentTime = time;
        }
        return getComputedStyle(element).opacity;
      }, ms);
    expect([await opacityAfter(0), await opacityAfter(150), await opacityAfter(350)]).toEqual(['0', '0', '1']);
    letGo();
    await link('Animal 45').waitFor();
  });

  it.each([1280, 412])('moves nothing on the page when it arrives, at %i px', async (width) => {
    await visit('/pets', width);
    await recordLayoutShifts(page);
    for (const [path, loaded] of [
      ['/pets', rows().nth(19)],
      ['/pets?limit=50&status=sold', rows().nth(14)],
      ['/pets/7', page.getByText('Category number')],
      ['/pets/new', page.getByRole('textbox', { name: 'Name' })],
      ['/pets/404404', page.getByRole('heading', { name: 'Animal not found' })],
    ] as const) {
      const letGo = await holdAnswers();
      await page.goto(store.url(path));
      await page.getByRole('heading', { level: 1 }).waitFor();
      letGo();
      await loaded.waitFor();
      expect(await layoutShifts(page), path).toEqual([]);
      await page.unrouteAll();
    }
    expect(failures).toEqual([]);
  });
});

describe.each([
  ['200 %', 640, 450],
  ['400 %', 320, 225],
])('at a zoom of %s', (_zoom, width, height) => {
  it.each(['/pets', '/pets/7', '/pets/new', '/pets/404404', '/nowhere'])(
    '%s does not scroll sideways, and shows every element that has the focus',
    async (path) => {
      await visit(path, width, height);
      if (path === '/pets') await rows().first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await hiddenStops()).toEqual([]);
    },
  );

  it('the search and the menu do not scroll sideways', async () => {
    await visit('/pets', width, height);
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('Animal');
    await page.getByRole('option').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click({ trial: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

/** Presses Tab through the page. Returns the elements that had the focus while they were covered or out of view. */
async function hiddenStops(): Promise<string[]> {
  const hidden: string[] = [];
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press('Tab');
    const { name, isBody } = await focus(page);
    if (isBody) return hidden;
    if (!(await page.evaluate(isFocusVisible))) hidden.push(name);
  }
  return hidden;
}

/** Runs in the page: whether the middle of the visible part of the focused element is on top. */
function isFocusVisible(): boolean {
  const element = document.activeElement ?? document.body;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const onTop = document.elementFromPoint(x, y);
  return onTop !== null && (element.contains(onTop) || onTop.contains(element));
}
