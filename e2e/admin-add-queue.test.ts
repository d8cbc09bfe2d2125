import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violations, violationsInAllLooks } from './support/accessibility.js';
import { AddForm, isFocused } from './support/add-form.js';
import { api, failures, holdRequests, rejectKey, signOut } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
let form: AddForm;
let otherKey: string;
/** The idempotency keys of the POST requests of each name. */
let keys: Map<string, Set<string | undefined>>;
let run = 0;
let before: number;

/** Each test loads the form, as a new person. Names are short: only a scanner types longer ones as fast as these tests. */
beforeAll(async () => {
  store = await Store.open();
  otherKey = await store.newKey();
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
  // Not a page of the admin, which would continue with the animals of a failed test.
  await page.goto(store.url('/healthz'));
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(store.url(`/pets/new#key=${key}`));
  form = await AddForm.on(page);
  await form.category.fill('7');
  await form.name.focus();
  keys = new Map();
  run += 1;
  before = await store.count();
});

const named = (letter: string) => `${letter}${run}`;
const alert = (name: string) => page.getByRole('alert').filter({ hasText: name });
const answer = (name: string, label: string) => alert(name).getByRole('button', { name: label, exact: true });
const adding = () => page.getByRole('list', { name: 'Animals being added' });
const notice = (text: string) => page.getByRole('status').filter({ hasText: text });
const unconfirmed = "We couldn't confirm that the animal was added";
const isPost = (route: Route) => route.request().method() === 'POST';

async function addedNames(): Promise<string[]> {
  const pets = await store.sql<{ name: string }>('SELECT name FROM pet ORDER BY id');
  return pets.slice(before).map(({ name }) => name);
}

async function typeName(name: string): Promise<void> {
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function goToList(): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Animals' }).click();
  await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
}

/** What becomes of a POST. */
type Outcome = (route: Route) => Promise<unknown>;

const reject =
  (status: number, code: string): Outcome =>
  (route) =>
    route.fulfill({ status, json: { code, message: 'No.', status } });
const neverSend: Outcome = (route) => route.abort('connectionreset');
/** The service adds the animal, and the page gets no answer. */
const loseAnswer: Outcome = async (route) => {
  await route.fetch({ url: `${store.service.url}/v1/pets` });
  await route.abort('connectionreset');
};

/** From now on, the POST requests of some names have other outcomes. */
async function answerWith(outcomes: Record<string, Outcome>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(api, async (route) => {
    const { name } = isPost(route) ? (route.request().postDataJSON() as { name: string }) : { name: '' };
    await (outcomes[name] ?? ((other: Route) => other.continue()))(route).catch(() => undefined);
  });
}

it('names that are typed one after another are stored whole, in order, once, and failures touch nothing that is typed', async () => {
  const letGo = await holdRequests(page, api, isPost);
  const names = ['A', 'B', 'C', 'D'].map(named);
  for (const name of names) await typeName(name);
  const [next, refused, lost, unsent, last] = [named('E'), named('R'), named('L'), named('N'), named('F')];
  await page.keyboard.type(next);
  // One after the other: the numbers follow the order of the names.
  await expect.poll(() => [...keys.keys()]).toEqual(names.slice(0, 1));
  letGo();
  await expect.poll(addedNames).toEqual(names);
  await form.justAdded(4).waitFor();
  expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual([next, true]);
  expect(await page.getByRole('alert').count()).toBe(0);

  // Answers arrive at once, while the next names are typed.
  const problems = { [refused]: reject(400, 'invalid_body'), [lost]: loseAnswer, [unsent]: neverSend };
  await answerWith(problems);
  await page.keyboard.press('Enter');
  for (const name of [...Object.keys(problems), last]) await typeName(name);
  await page.keyboard.type('Ha');
  for (const name of Object.keys(problems)) {
    await alert(name).waitFor();
    expect(await alert(name).innerText()).toContain(name === refused ? 'Not added' : unconfirmed);
  }
  await page.keyboard.type('lf');
  expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual(['Half', true]);
  await expect.poll(addedNames).toEqual([...names, next, lost, last]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const name of Object.keys(problems)) {
    await answer(name, 'Try again').press('Enter');
    await alert(name).waitFor({ state: 'detached' });
  }
  await form.justAdded(9).waitFor();
  const all = [...names, next, refused, lost, unsent, last];
  expect((await addedNames()).toSorted()).toEqual(all.toSorted());
  expect([...keys].map(([name, { size }]) => [name, size])).toEqual(all.map((name) => [name, 1]));
  expect(await form.name.inputValue()).toBe('Half');
});

describe('animals that wait', () => {
  let letGo = () => {};
  beforeEach(async () => {
    letGo = await holdRequests(page, api, isPost);
  });

  it('are in the list as "Adding…", the field is empty in the same tick, and a reload, which asks first, adds them once', async () => {
    await form.name.fill(named('A'));
    const text = await form.name.evaluate(async (input: HTMLInputElement) => {
      input.form?.requestSubmit();
      await Promise.resolve();
      return input.value;
    });
    expect(text).toBe('');
    await expect.poll(() => keys.has(named('A'))).toBe(true);
    await typeName(named('B'));
    const lines = adding().getByRole('listitem');
    await expect.poll(() => lines.allInnerTexts()).toEqual(['B', 'A'].map((letter) => `${named(letter)}\nAdding…`));
    expect(await violationsInAllLooks(page)).toEqual([]);
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reloaded;
    letGo();
    await form.justAdded(2).waitFor();
    expect(await adding().count()).toBe(0);
    expect(await addedNames()).toEqual([named('A'), named('B')]);
    expect([...keys.values()].map(({ size }) => size)).toEqual([1, 1]);
  });

  it('are asked about if two have one name, and the question keeps what is typed', async () => {
    for (const letter of ['A', 'A', 'B']) await typeName(named(letter));
    await page.keyboard.type('Ne');
    letGo();
    await alert('An animal with this name is already in the store').waitFor();
    await page.keyboard.type('xt');
    expect([await form.name.inputValue(), await isFocused(form.name)]).toEqual(['Next', true]);
    await expect.poll(addedNames).toEqual([named('A'), named('B')]);
    await answer(named('A'), "Don't add").click();
    await alert(named('A')).waitFor({ state: 'detached' });
    expect(await addedNames()).toEqual([named('A'), named('B')]);
  });

  it('are added while another page shows the progress, and once if the form opens again', async () => {
    await typeName(named('A'));
    await goToList();
    await notice(named('A')).getByText('Still adding').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Add animal' }).click();
    await adding().waitFor();
    await page.getByRole('button', { name: 'Add animal' }).click();
    letGo();
    await form.added.waitFor();
    expect([await addedNames(), keys.get(named('A'))?.size]).toEqual([[named('A')], 1]);
  });

  it('are forgotten by a sign-out, which asks first', async () => {
    await typeName(named('A'));
    await typeName(named('B'));
    for (const isAccepted of [false, true]) {
      page.once('dialog', (dialog) => void (isAccepted ? dialog.accept() : dialog.dismiss()));
      await signOut(page);
      if (!isAccepted) expect(await adding().getByRole('listitem').count()).toBe(2);
    }
    await page.getByRole('textbox', { name: 'Key' }).fill(otherKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await form.name.fill('Draft of the next person');
    const responded = page.waitForResponse((response) => response.request().method() === 'POST');
    letGo();
    await responded;
    await expect.poll(addedNames).toEqual([named('A')]);
    await goToList();
    expect([await addedNames(), await page.getByText('Still adding').count()]).toEqual([[named('A')], 0]);
    expect(await page.evaluate(() => sessionStorage.getItem('petstore.draft'))).toContain('Draft of the next person');
  });
});

it('an animal that was rejected returns to the form, but never over another name', async () => {
  await answerWith({ [named('A')]: reject(400, 'invalid_body') });
  await form.choose('Sold');
  await form.name.focus();
  await typeName(named('A'));
  await alert(named('A')).waitFor();
  expect(await violationsInAllLooks(page)).toEqual([]);
  await form.category.fill('9');
  await form.name.fill('Other');
  await answer(named('A'), 'Change it').click();
  await page.getByText('First add this animal, or clear its name').first().waitFor();
  expect(await form.name.inputValue()).toBe('Other');
  await form.name.fill('');
  await answer(named('A'), 'Change it').click();
  await expect.poll(() => form.name.inputValue()).toBe(named('A'));
  expect(await form.category.inputValue()).toBe('7');
  expect(await page.getByRole('radio', { name: 'Sold' }).isChecked()).toBe(true);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('every other page names the animals that need the person, and says "Not added" only of one that certainly was not', async () => {
  const [lost, refused, same] = [named('L'), named('R'), named('S')];
  await store.add({ name: same, categoryId: 7n });
  await answerWith({ [lost]: loseAnswer, [refused]: reject(403, 'insufficient_scope') });
  for (const name of [lost, refused, same]) await typeName(name);
  await alert(same).waitFor();
  await goToList();
  const [back, sameName] = ['Go back to the form', 'An animal with this name is already in the store'];
  const lines = [unconfirmed, lost, back, 'Not added', refused, back, sameName, same, back];
  expect((await notice(lost).innerText()).split(/\n+/)).toEqual(lines);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: back }).first().click();
  await alert(refused).waitFor();
  expect(await alert(refused).innerText()).toMatch(/^Not added\s+You don't have permission to add animals\./);
});

describe('a retry with another API key, after a lost answer,', () => {
  const question = () => alert('An animal with this name is already in the store');

  /** The service rejects the key, and another person signs in. */
  async function signInAgain(act: () => Promise<unknown>): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await rejectKey(page);
    await act();
    // In a dialog, or on a page if the key is rejected before a page has begun.
    const field = page.getByRole('textbox', { name: 'Key' });
    await field.waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await field.fill(otherKey);
    await page.getByRole('button', { name: /^Sign in/ }).click();
    await field.waitFor({ state: 'detached' });
  }

  it('asks whether the new animal of the store is the same one, also after a reload, and stores no API key', async () => {
    await answerWith({ [named('A')]: loseAnswer });
    await typeName(named('A'));
    await alert(unconfirmed).waitFor();
    await signInAgain(() => page.reload());
    await question()
      .getByText(`number ${(await store.newest()).id}`)
      .waitFor();
    expect(await question().innerText()).toContain('The connection was lost during the last attempt');
    const stored = () => page.evaluate(() => sessionStorage.getItem('petstore.queue'));
    expect(await stored()).toContain(named('A'));
    for (const secret of [key, otherKey]) expect(await stored()).not.toContain(secret);
    await answer(named('A'), "Don't add").click();
    await question().waitFor({ state: 'detached' });
    expect([await addedNames(), await stored()]).toEqual([[named('A')], '[]']);
  });

  it('adds the animal without a question if the service never got the first request', async () => {
    await answerWith({ [named('A')]: neverSend });
    await typeName(named('A'));
    await alert(unconfirmed).waitFor();
    await signInAgain(() => answer(unconfirmed, 'Try again').click());
    await form.added.waitFor();
    expect([await addedNames(), await question().count()]).toEqual([[named('A')], 0]);
  });

  it('asks about the animal of a litter, and adds the others', async () => {
    const litter = [1, 2, 3].map((number) => `${named('A')} ${number}`);
    await answerWith({ [litter[1] ?? '']: loseAnswer });
    await page.getByRole('textbox', { name: 'How many?' }).fill('3');
    await form.name.focus();
    await typeName(named('A'));
    await alert('1 of 3 animals was added').waitFor();
    await signInAgain(() => answer('1 of 3 animals', 'Add the other 2').click());
    await answer('1 of these 2 animals is already in the store', 'Add only the other one').click();
    await form.added.waitFor();
    expect(await addedNames()).toEqual(litter);
  });
});
