import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { focus, violations } from './support/accessibility.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
  for (let number = 1; number <= 25; number += 1) {
    await store.add({
      name: `Animal ${number}`,
      categoryId: 9223372036854775807n,
      status: number % 2 ? 'available' : 'sold',
    });
  }
});
afterEach(() => page.close());
afterAll(() => store.close());

const widths = [412, 1280];
const schemes = ['light', 'dark'] as const;
const looks = widths.flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme })));

const failRequests = (status: number) =>
  page.route('**/v1/**', (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: `{"code":"internal_error","message":"No.","status":${status}}`,
    }),
  );
const leave = () => page.getByRole('button', { name: 'Refresh' }).click();

/** Each page and state, and the steps that lead to it. */
const states: Record<string, (() => Promise<void>) | undefined> = {
  '/pets': () => page.getByRole('link', { name: 'Animal 25' }).waitFor(),
  '/pets?status=pending': () => page.getByRole('heading', { name: 'No pending animals' }).waitFor(),
  '/pets/new': () => page.getByRole('textbox', { name: 'Name' }).waitFor(),
  '/pets/new with errors': async () => {
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByRole('alert').waitFor();
  },
  '/pets/new after adding': async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('Rex');
    await page.getByRole('textbox', { name: 'Category number' }).fill('7');
    await page.getByRole('button', { name: 'Add animal' }).click();
    await page.getByRole('button', { name: 'Add another' }).waitFor();
  },
  '/pets/1': () => page.getByRole('heading', { name: 'Animal 1', exact: true }).waitFor(),
  '/pets/404404': () => page.getByRole('heading', { name: 'Animal not found' }).waitFor(),
  '/nowhere': undefined,
  '/pets with an error': async () => {
    await failRequests(500);
    await leave();
    await page.getByRole('alert').waitFor();
  },
  '/pets offline': async () => {
    await page.context().setOffline(true);
    await page.getByText("You're offline.").waitFor();
  },
  '/pets with the dialog': async () => {
    await failRequests(401);
    await leave();
    await page.getByRole('dialog').waitFor();
  },
};

/** The violations of the current state, at each width and colour scheme. */
async function found(): Promise<string[]> {
  const all: string[] = [];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    all.push(...(await violations(page)).map((violation) => `${width} px, ${colorScheme}: ${violation}`));
  }
  return all;
}

describe('axe finds no violation at 412 and 1280 px, light and dark,', () => {
  it('on the sign-in page, also after a wrong key', async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url('/pets'));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const before = await found();
    await page.getByRole('textbox', { name: 'API key' }).fill('psk_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect([before, await found()]).toEqual([[], []]);
  });

  it.each(Object.entries(states))('at %s', async (state, reach) => {
    ({ page } = await store.visit(state.split(' ')[0] ?? ''));
    await reach?.();
    expect(await found()).toEqual([]);
  });
});

describe('a screen of 320 px', () => {
  it.each(['/pets', '/pets/new', '/pets/1', '/pets/404404', '/nowhere'])(
    'shows %s without horizontal scrolling',
    async (path) => {
      ({ page } = await store.visit(path, { viewport: { width: 320, height: 700 } }));
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    },
  );
});

describe('on a touch screen', () => {
  it('targets are at least 44 px high', async () => {
    ({ page } = await store.visit('/pets', { viewport: { width: 412, height: 900 }, hasTouch: true, isMobile: true }));
    await page.getByRole('link', { name: 'Animal 25' }).waitFor();
    const small = await page
      .locator('button, select, header a, nav a, footer a, li')
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.getBoundingClientRect().height < 44)
          .map((element) => element.outerHTML.slice(0, 120)),
      );
    expect(small).toEqual([]);
  });
});

describe('with the keyboard only', () => {
  const press = (name: string) => page.keyboard.press(name);
  /** Presses Tab until an element with that name has the focus. Every stop has a name and a visible focus. */
  async function tabTo(name: string | RegExp): Promise<void> {
    for (let stops = 0; stops < 60; stops += 1) {
      await press('Tab');
      const at = await focus(page);
      if (!at.isBody) expect([at.name !== '', at.isVisible, at.name]).toEqual([true, true, at.name]);
      if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
    }
    throw new Error(`Tab does not lead to ${String(name)}`);
  }
  const heading = async (name: string) => {
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await expect.poll(async () => (await focus(page)).name).toBe(name);
  };

  it('a user can sign in, filter, page, add, view and sign out, and never loses the focus', async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url('/'));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.type(key);
    await press('Enter');
    await page.getByRole('link', { name: 'Animal 25' }).waitFor();
    await heading('Animals');

    await page.reload();
    await page.getByRole('link', { name: 'Animal 25' }).waitFor();
    expect((await focus(page)).isBody).toBe(true);
    await tabTo('Skip to content');
    await press('Enter');
    await tabTo(/^Available/);
    await press('Enter');
    await page.waitForURL(/status=available/);
    expect((await focus(page)).name).toMatch(/^Available/);
    await page.goBack();
    await page.getByText('1–20 of').waitFor();

    await tabTo('Next');
    await press('Enter');
    await page.waitForURL(/after=/);
    await heading('Animals');
    await tabTo('Animal 3');
    await press('Enter');
    await heading('Animal 3');
    await tabTo('Copy number');
    await press('Enter');
    await expect.poll(async () => (await focus(page)).name).toBe('Copied');
    await page.goBack();
    await heading('Animals');

    await tabTo('Add animal');
    await press('Enter');
    await heading('Add animal');
    await tabTo('Name');
    await page.keyboard.type('Typed');
    await press('Enter');
    await expect.poll(async () => (await focus(page)).name).toBe('Category number');
    await page.keyboard.type('7');
    await press('Enter');
    await expect.poll(async () => (await focus(page)).name).toMatch(/Added as number \d+/);
    await tabTo('Add another');
    await press('Enter');
    await expect.poll(async () => (await focus(page)).name).toBe('Name');
    for (let stops = 0; (await focus(page)).name !== 'Petstore' && stops < 10; stops += 1) await press('Shift+Tab');
    await tabTo('Menu');
    await press('Enter');
    await page.getByRole('menu').waitFor();
    await press('End');
    expect((await focus(page)).name).toBe('Sign out');
    await press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Petstore' }).waitFor();
    expect((await focus(page)).isBody).toBe(false);
  });
});

describe('for a screen reader', () => {
  it('the live region announces changes of the list', async () => {
    ({ page } = await store.visit('/pets'));
    const said = page.locator('[role=status]').last();
    await expect.poll(() => said.innerText()).toBe('20 animals');
    await page.getByRole('link', { name: /^Sold/ }).click();
    await expect.poll(() => said.innerText()).toBe('12 sold animals');
    await page.getByRole('link', { name: /^Pending/ }).click();
    await expect.poll(() => said.innerText()).toBe('No pending animals');
  });
});
