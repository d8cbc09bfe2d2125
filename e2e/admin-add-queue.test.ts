import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { api, failures, holdRequests } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;
/** The idempotency keys of the POST requests of each name. */
let keys: Map<string, Set<string | undefined>>;
let run = 0;
let before: number;

/** Each test loads the form of one page. */
beforeAll(async () => {
  store = await Store.open();
  ({ page } = await store.visit('/pets'));
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    const { name } = request.postDataJSON() as { name: string };
    keys.set(name, (keys.get(name) ?? new Set()).add(request.headers()['idempotency-key']));
  });
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => {
    sessionStorage.removeItem('petstore.queue');
    sessionStorage.removeItem('petstore.draft');
  });
  await page.goto(store.url('/pets/new'), { waitUntil: 'networkidle' });
  form = await AddForm.on(page);
  keys = new Map();
  run += 1;
  before = await store.count();
});

const list = () => page.getByRole('list', { name: 'Animals being added' });
const alert = (name: string) => page.getByRole('alert').filter({ hasText: name });
const fail = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ code, message: 'No.', status }) });

async function loseAnswer(route: Route): Promise<void> {
  await route.fetch({ url: `${store.service.url}/v1/pets` });
  await route.abort('connectionreset');
}

/** Delays every request, and handles the POST of a name. */
async function slowService(ms: number, handlers: Record<string, (route: Route) => Promise<void>> = {}): Promise<void> {
  await page.route(api, async (route) => {
    const request = route.request();
    await sleep(ms);
    const { name } = request.method() === 'POST' ? (request.postDataJSON() as { name: string }) : { name: '' };
    await (handlers[name] ?? ((other) => other.continue()))(route).catch(() => undefined);
  });
}

async function addedNames(): Promise<string[]> {
  const pets = await store.sql<{ name: string }>('SELECT name FROM pet ORDER BY id');
  return pets.slice(before).map(({ name }) => name);
}

async function typeName(name: string): Promise<void> {
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function start(): Promise<string[]> {
  await form.category.fill('7');
  await form.name.focus();
  return ['Ada', 'Ben', 'Cleo', 'Dora'].map((name) => `${name} ${run}`);
}

it.each([0, 150, 400, 800])(
  'with a latency of %i ms, names that are typed one after another are stored whole, in their order, each once, and failures touch nothing that is typed',
  async (ms) => {
    await slowService(ms);
    const names = await start();
    const [next, last] = [`Emil ${run}`, `Fay ${run}`];
    for (const name of names) await typeName(name);
    await page.keyboard.type(next);
    expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual([next, true]);
    await expect.poll(addedNames).toEqual(names);
    await form.justAdded(4).waitFor();
    expect(await form.name.inputValue()).toBe(next);
    expect(await page.getByRole('alert').count()).toBe(0);

    const problems: [name: string, answer: (route: Route) => Promise<void>, title: string][] = [
      [`Refused ${run}`, fail(400, 'invalid_body'), 'Not added'],
      [`Lost ${run}`, loseAnswer, "We couldn't confirm that the animal was added"],
      [`Never sent ${run}`, (route) => route.abort(), "We couldn't confirm that the animal was added"],
    ];
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await slowService(ms, Object.fromEntries(problems.map(([failed, answer]) => [failed, answer])));
    await page.keyboard.press('Enter');
    for (const [failed] of problems) await typeName(failed);
    await typeName(last);
    await page.keyboard.type('Half a na');
    for (const [failed, , title] of problems) {
      await alert(failed).waitFor();
      expect(await alert(failed).innerText()).toContain(title);
    }
    await page.keyboard.type('me');
    expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual(['Half a name', true]);
    await expect.poll(addedNames).toEqual([...names, next, `Lost ${run}`, last]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const [failed] of problems) {
      await alert(failed).getByRole('button', { name: 'Try again' }).press('Enter');
      await alert(failed).waitFor({ state: 'detached' });
    }
    await form.justAdded(9).waitFor();
    const all = [...names, next, ...problems.map(([failed]) => failed), last];
    expect((await addedNames()).toSorted()).toEqual(all.toSorted());
    expect([...keys].map(([name, { size }]) => [name, size])).toEqual(all.map((name) => [name, 1]));
    expect(await form.name.inputValue()).toBe('Half a name');
  },
);

describe('an animal that waits', () => {
  let letGo = () => {};

  beforeEach(async () => {
    letGo = await holdRequests(page, api, (route) => route.request().method() === 'POST');
  });

  it('is in the list as "Adding…", and the field is empty in the same tick as Enter', async () => {
    const [first = '', second = ''] = await start();
    await page.keyboard.type(first);
    const empty = await form.name.evaluate(async (input: HTMLInputElement) => {
      input.form?.requestSubmit();
      await Promise.resolve();
      return input.value;
    });
    expect(empty).toBe('');
    await typeName(second);
    expect(await list().getByRole('listitem').allInnerTexts()).toEqual(
      [second, first].map((name) => expect.stringMatching(new RegExp(`^${name}\\s+Adding…$`)) as unknown),
    );
    expect(await violationsInAllLooks(page)).toEqual([]);
    letGo();
    await form.justAdded(2).waitFor();
    expect(await list().count()).toBe(0);
  });

  it('with the name of the one before is asked about, and its question keeps what is typed', async () => {
    const [first = '', second = ''] = await start();
    for (const name of [first, first, second]) await typeName(name);
    await page.keyboard.type('Next');
    letGo();
    await alert('An animal with this name is already in the store').waitFor();
    await page.keyboard.type(' one');
    expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual(['Next one', true]);
    await expect.poll(addedNames).toEqual([first, second]);
    await alert(first).getByRole('button', { name: "Don't add" }).click();
    await alert(first).waitFor({ state: 'detached' });
    expect(await addedNames()).toEqual([first, second]);
  });
});

it('an animal that was rejected returns to the form, but never over another name', async () => {
  const [first = ''] = await start();
  await slowService(0, { [first]: fail(400, 'invalid_body') });
  await page.getByRole('radio', { name: 'Sold' }).check();
  await form.name.focus();
  await typeName(first);
  await alert(first).waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  await form.category.fill('9');
  await form.name.fill('Other');
  await alert(first).getByRole('button', { name: 'Change it' }).click();
  await page.getByText('First add this animal, or clear its name').first().waitFor();
  expect(await form.name.inputValue()).toBe('Other');
  await form.name.fill('');
  await alert(first).getByRole('button', { name: 'Change it' }).click();
  await expect.poll(() => form.name.inputValue()).toBe(first);
  expect([await form.category.inputValue(), await page.getByRole('radio', { name: 'Sold' }).isChecked()]).toEqual([
    '7',
    true,
  ]);
  expect(await page.getByRole('alert').count()).toBe(0);
});
