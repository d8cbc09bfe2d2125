import type { CDPSession, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm } from './support/add-form.js';
import { api, failures } from './support/page.js';
import { paste } from './support/paste.js';
import { Store } from './support/store.js';

let store: Store;
const twins = ['Twin A', 'Twin B', 'Twin C'];
beforeAll(async () => {
  store = await Store.open();
  for (const name of twins) await store.add({ name, categoryId: 9n });
});
afterEach(() => void failures.splice(0));

/** In the upper half of the buttons: the status comes there when the question about pasted cells closes. */
const position = { x: 60, y: 10 };

type Hit = (session: CDPSession, place: { x: number; y: number }, timestamp: number) => Promise<unknown>;

/** Twice at one place, as a hand does: it does not follow what moves. The times do not depend on the speed of the browser. */
async function hitTwice(page: Page, button: Locator, hit: Hit): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  const start = Date.now() / 1000;
  for (const seconds of [0, 0.15]) await hit(session, { x: x + position.x, y: y + position.y }, start + seconds);
  await session.detach();
}

const tap: Hit = async (session, place, timestamp) => {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [place], timestamp });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp: timestamp + 0.02 });
};
const press: Hit = async (session, place, timestamp) => {
  const left = { ...place, button: 'left', clickCount: 1 } as const;
  await session.send('Input.dispatchMouseEvent', { ...left, type: 'mousePressed', timestamp });
  await session.send('Input.dispatchMouseEvent', { ...left, type: 'mouseReleased', timestamp: timestamp + 0.02 });
};

const hands: Record<string, (page: Page, button: Locator) => Promise<void>> = {
  'double click': (_, button) => button.dblclick({ position }),
  'double tap': (page, button) => hitTwice(page, button, tap),
  'double tap on a device that does not count taps': (page, button) => hitTwice(page, button, press),
};

describe.each(Object.entries(hands))('a %s in the form', (hand, hitWith) => {
  let page: Page;
  let form: AddForm;
  const alerts = () => page.getByRole('alert');
  const hit = (label: string) => hitWith(page, page.getByRole('button', { name: label, exact: true }).first());

  beforeAll(async () => {
    const width = hand === 'double click' ? 1280 : 390;
    ({ page } = await store.visit('/pets/new', { viewport: { width, height: 900 }, hasTouch: width === 390 }));
  });
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    form = await AddForm.open(page, store.url('/pets/new'));
    await form.category.fill('9');
  });

  it.each([
    ['Add another one', 'Twin', 1],
    ["Don't add", 'Twin', 0],
    ['Stop trying', 'Lost', 0],
  ])('answers one question with "%s", not also the next one', async (answer, name, added) => {
    if (name === 'Lost')
      await page.route(api, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    for (const letter of ['A', 'B', 'C']) {
      await form.name.fill(`${name} ${letter}`);
      await form.name.press('Enter');
    }
    await expect.poll(() => alerts().count()).toBe(3);
    form.posted.splice(0);
    await hit(answer);
    await alerts()
      .filter({ hasText: `${name} A` })
      .waitFor({ state: 'detached' });
    await expect.poll(() => form.posted.length).toBe(added);
    // A second answer would have removed another question at once.
    expect([await alerts().count(), form.posted.length]).toEqual([2, added]);
  });

  it('adds pasted names, and does not change the status of the next animals', async () => {
    await paste(page, form.name, ['Ada', 'Ben', 'Cleo'].map((name) => `${name} ${hand}`).join('\n'));
    await page.getByRole('alert').waitFor();
    await hit('Add these 3 animals');
    await page.getByRole('main').getByText('Added 3 animals').waitFor();
    expect(await page.getByRole('radio', { name: 'Available' }).isChecked()).toBe(true);
    expect(page.url()).toBe(store.url('/pets/new'));
  });
});

it('a double click on a word of a field selects it', async () => {
  const { page } = await store.visit('/pets/new');
  const form = await AddForm.on(page);
  await form.name.fill('Rex');
  await form.name.dblclick({ position: { x: 25, y: 15 } });
  await page.keyboard.type('Milo');
  expect(await form.name.inputValue()).toBe('Milo');
});
