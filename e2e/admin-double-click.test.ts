import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddForm } from './support/add-form.js';
import { api, failures } from './support/page.js';
import { paste } from './support/paste.js';
import { Store } from './support/store.js';

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  for (const name of twins) await store.add({ name, categoryId: 9n });
});
afterEach(() => void failures.splice(0));

const twins = ['Twin A', 'Twin B', 'Twin C'];
const pauseMs = 150;

/** In the upper half of the buttons: the status comes there when the question about pasted cells closes. */
const position = { x: 110, y: 10 };

async function placeOf(button: Locator): Promise<[x: number, y: number]> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error('The button is not visible.');
  return [box.x + position.x, box.y + position.y];
}

/** At one place, as a hand does: it does not follow what moves. */
const hands: Record<string, (page: Page, button: Locator) => Promise<void>> = {
  'double click': (_, button) => button.dblclick({ position }),
  'double tap': async (page, button) => {
    const place = await placeOf(button);
    await page.touchscreen.tap(...place);
    await page.waitForTimeout(pauseMs);
    await page.touchscreen.tap(...place);
  },
  'double tap on a device that does not count taps': async (page, button) => {
    const place = await placeOf(button);
    await page.mouse.click(...place);
    await page.waitForTimeout(pauseMs);
    await page.mouse.click(...place);
  },
};

describe.each(Object.keys(hands))('a %s in the form', (hand) => {
  const number = Object.keys(hands).indexOf(hand);
  let page: Page;
  let form: AddForm;
  const hit = (button: Locator) => hands[hand]?.(page, button);
  const alerts = () => page.getByRole('alert');
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    const width = hand === 'double click' ? 1280 : 390;
    ({ page } = await store.visit('/pets/new', { viewport: { width, height: 900 }, hasTouch: width === 390 }));
  });
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(() => ['queue', 'draft'].forEach((name) => sessionStorage.removeItem(`petstore.${name}`)));
    await page.goto(store.url('/pets/new'));
    form = await AddForm.on(page);
    await form.category.fill('9');
  });

  async function addAll(names: readonly string[]): Promise<void> {
    for (const name of names) {
      await form.name.fill(name);
      await form.name.press('Enter');
    }
    await expect.poll(() => alerts().count()).toBe(names.length);
  }

  it.each(['Add another one', "Don't add"])('answers one question with "%s", not also the next one', async (answer) => {
    await addAll(twins);
    await hit(button(answer).first());
    await alerts().filter({ hasText: 'Twin A' }).waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect([await alerts().count(), form.posted.length]).toEqual([2, answer === "Don't add" ? 0 : 1]);
  });

  it('answers one question with "Stop trying", not also the next one', async () => {
    await page.route(api, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await addAll(['Lost A', 'Lost B']);
    await hit(button('Stop trying').first());
    await alerts().filter({ hasText: 'Lost A' }).waitFor({ state: 'detached' });
    expect(await alerts().count()).toBe(1);
  });

  it('adds pasted names, and does not change the status of the next animals', async () => {
    await paste(page, form.name, `Ada${number}\nBen${number}\nCleo${number}`);
    await hit(button('Add these 3 animals'));
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
