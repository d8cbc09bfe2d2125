import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { layoutShifts, recordLayoutShifts } from './support/layout-shifts.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let failures: string[];

/** 45 animals: 30 available, 15 sold. All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 45; number += 1) {
    const status = number % 3 === 0 ? 'sold' : 'available';
    await store.add({ name: `Animal ${number}`, categoryId: BigInt(number), status });
  }
  ({ page, failures } = await store.visit('/pets'));
});
afterEach(() => expect(failures.splice(0)).toEqual([]));
afterAll(() => store.close());

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

/** 30 animals, 20 per page. Without a filter, the address opens the last list. */
const list = '/pets?status=available';

/** Loads a page, whose width may be new. */
async function open(path: string, width = 1280, height = 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

describe('the list', () => {
  it('has no control that sticks out of the table', async () => {
    await open('/pets');
    await rows().nth(19).waitFor();
    const rightOf = async (element: Locator) => {
      const box = await element.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    const menu = await rightOf(page.getByRole('button', { name: 'Print and export' }));
    expect(menu).toBeLessThanOrEqual(await rightOf(page.getByRole('table')));
  });

  it('has no row below the navigation of a narrow window', async () => {
    await open('/pets?limit=20', 412, 860);
    await rows().first().waitFor();
    const [scroller, navigation] = [
      await page.locator('[data-scroll-restoration-id]').boundingBox(),
      await page.getByRole('navigation', { name: 'Main' }).boundingBox(),
    ];
    expect((scroller?.y ?? 0) + (scroller?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(860);
    await open('/pets');
  });

  it('has compact rows for a mouse, and keeps toolbar, headings and pages visible', async () => {
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
});

describe('a slow answer', () => {
  beforeAll(() => page.emulateMedia({ reducedMotion: 'no-preference' }));

  it('shows a placeholder, which stays invisible for 150 ms', async () => {
    await open(list);
    await rows().first().waitFor();
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

  it('of the code of the Overview shows its panels', async () => {
    let letGo = () => {};
    await page.route(/overview-page-.*\.js$/, async (route) => {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await route.continue();
    });
    await open(list);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => page.locator('main [aria-hidden=true] > .panel').count()).toBe(3);
    letGo();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.unrouteAll();
  });

  it('of code shows the shape of the page that comes', async () => {
    const shapeOf = async (panel: Locator) => {
      const [heading, box] = [await page.locator('h1:visible').boundingBox(), await panel.first().boundingBox()];
      return [heading?.x, heading?.y, box?.x, box?.width].map((size) => Math.round(size ?? -1));
    };
    for (const [target, chunk] of [
      [link('Add animal'), 'new-pet-page'],
      [link('Animal 44'), 'record-page'],
      [page.getByRole('link', { name: 'Labels', exact: true }), 'labels-page'],
      [page.getByRole('link', { name: 'Import', exact: true }), 'import-page'],
    ] as const) {
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await page.route(`**/assets/${chunk}-*.js`, async (route) => {
        await held;
        await route.continue();
      });
      await open(list);
      await target.click();
      const placeholder = page.locator('main [aria-hidden=true].panel, main [aria-hidden=true] > .panel');
      await placeholder.first().waitFor();
      const shape = await shapeOf(placeholder);
      letGo();
      await placeholder.first().waitFor({ state: 'detached' });
      expect([chunk, ...(await shapeOf(page.locator('main .panel')))]).toEqual([chunk, ...shape]);
      await page.unrouteAll();
    }
  });

  it('moves nothing on the page when it arrives, on a wide screen and on a phone', async () => {
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
        const letGo = await holdAnswers();
        await open(path, width);
        letGo();
        await expect.poll(() => loaded.isVisible()).toBe(true);
        expect(await layoutShifts(page), `${path} at ${width} px`).toEqual([]);
        await page.unrouteAll();
      }
    }
  });
});

describe('names in scripts that are written from right to left', () => {
  it('start where the other names start: in the table, the cards, the Overview and the search', async () => {
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
    for (const [path, width] of [
      ['/pets?limit=20', 1280],
      ['/pets?limit=20', 412],
      ['/overview', 1280],
    ] as const) {
      await open(path, width);
      const part = path === '/overview' ? page.getByRole('region', { name: 'Newest animals' }) : page.getByRole('main');
      await expect.poll(() => isAligned(part), { message: `${path} ${width}` }).toBe(true);
    }
    await page.getByRole('combobox', { name: 'Find an animal' }).fill('שלום');
    const option = page.getByRole('option', { name: /שלום/ });
    await option.waitFor();
    const [text, number] = [option.locator('bdi').first(), option.getByText(/^Number/)];
    const startOf = (part: Locator) =>
      part.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().x;
      });
    expect(await startOf(text)).toBe(await startOf(number));
    await page.keyboard.press('Escape');
  });
});

describe('with a font size of 24 px in the browser', () => {
  const setFontSize = async (size: number) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
    await session.detach();
  };
  const rowHeight = () =>
    page
      .locator('tbody tr, main li')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height);

  it('rows grow, and nothing scrolls sideways', async () => {
    await open('/pets?limit=20', 1600);
    await rows().first().waitFor();
    const before = await rowHeight();
    await setFontSize(24);
    await expect.poll(rowHeight).toBeGreaterThanOrEqual(before * 1.45);
    for (const path of ['/pets?limit=20', '/pets/7', '/overview', '/pets/new']) {
      await open(path, 1600);
      if (path.startsWith('/pets?')) await rows().first().waitFor();
      for (const width of [1600, 1280, 412]) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
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

  it('the pages do not scroll sideways, and show every element that has the focus', async () => {
    for (const path of [list, '/pets/7', '/pets/new', '/pets/404404', '/nowhere']) {
      await open(path, 640);
      if (path === list) await rows().first().waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect([path, await scrollWidth()]).toEqual([path, size.width]);
        expect(await hiddenStops(), `${path} at ${size.width} px`).toEqual([]);
      }
    }
  });

  it('the search and the menu do not scroll sideways', async () => {
    await open(list, 640);
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
