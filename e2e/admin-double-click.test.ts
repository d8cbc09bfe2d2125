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

type Hand = (page: Page, button: Locator) => Promise<void>;
const doubleClick: Hand = (_, button) => button.dblclick({ position });
const doubleTap: Hand = (page, button) => hitTwice(page, button, tap);
/** Phones and iPads do not count taps. */
const uncountedTap: Hand = (page, button) => hitTwice(page, button, press);

const alerts = (page: Page) => page.getByRole('alert');
const exactButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Adds animals that cause a question each. */
async function causeQuestions(form: AddForm, page: Page, names: readonly string[]): Promise<void> {
  await form.category.fill('9');
  for (const name of names) {
    await form.name.fill(name);
    await form.name.press('Enter');
  }
  await expect.poll(() => alerts(page).count()).toBe(names.length);
  form.posted.splice(0);
}

describe.each([
  ['click', doubleClick, 1280],
  ['tap', doubleTap, 390],
  ['tap on a device that does not count taps', uncountedTap, 390],
] as const)('a double %s in the form', (name, hit, width) => {
  let page: Page;
  let form: AddForm;

  beforeAll(async () => {
    ({ page } = await store.visit('/pets/new', { viewport: { width, height: 900 }, hasTouch: width === 390 }));
  });
  beforeEach(async () => {
    form = await AddForm.open(page, store.url('/pets/new'));
  });

  it('answers one question, not also the next one', async () => {
    await causeQuestions(form, page, twins);
    const sent = () => form.posted.length;
    for (const [answer, added, left] of [
      ['Add another one', 1, 2],
      ["Don't add", 1, 1],
    ] as const) {
      const question = alerts(page).filter({ hasText: twins[2 - left] ?? '' });
      await hit(page, exactButton(page, answer).first());
      await question.waitFor({ state: 'detached' });
      await expect.poll(sent).toBe(added);
      // A second answer would have removed another question at once.
      expect([await alerts(page).count(), sent()]).toEqual([left, added]);
      // The next click could belong to these.
      await form.name.fill('Next');
    }
  });

  it('adds pasted names, and does not change the status of the next animals', async () => {
    await form.category.fill('9');
    await paste(page, form.name, ['Ada', 'Ben', 'Cleo'].map((pasted) => `${pasted} ${name}`).join('\n'));
    await alerts(page).waitFor();
    await hit(page, exactButton(page, 'Add these 3 animals'));
    await page.getByRole('main').getByText('Added 3 animals').waitFor();
    expect(await page.getByRole('radio', { name: 'Available' }).isChecked()).toBe(true);
    expect(page.url()).toBe(store.url('/pets/new'));
  });
});

it('a double click stops the retries of one animal only, and selects a word of a field', async () => {
  const { page } = await store.visit('/pets/new');
  const form = await AddForm.on(page);
  await page.route(api, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await causeQuestions(form, page, ['Lost A', 'Lost B']);
  await doubleClick(page, exactButton(page, 'Stop trying').first());
  await alerts(page).filter({ hasText: 'Lost A' }).waitFor({ state: 'detached' });
  expect([await alerts(page).count(), form.posted]).toEqual([1, []]);
  await form.name.fill('Rex');
  await form.name.dblclick({ position: { x: 25, y: 15 } });
  await page.keyboard.type('Milo');
  expect(await form.name.inputValue()).toBe('Milo');
});
