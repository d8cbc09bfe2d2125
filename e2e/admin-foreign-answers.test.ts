import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { AddForm } from './support/add-form.js';
import { downloadBy } from './support/downloads.js';
import { checkImportFile, startImport } from './support/import-steps.js';
import { api, failures, openPage, refresh } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page. */
beforeAll(async () => {
  store = await Store.open('7,Rabbits');
  await store.add({ name: 'Rex', categoryId: 7n });
  ({ page } = await store.visit('/pets'));
});
afterEach(async () => {
  await page.unrouteAll();
  // Failed requests belong to these tests.
  failures.splice(0);
});

type Answer = (route: Route) => Promise<void>;
const html = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: '<h1>Log in to the network</h1>' });

/** What a network or a proxy answers until the person has signed in to it. */
const logins: [answer: string, respond: Answer][] = [
  ['a 401 with a page', html(401)],
  ['a redirect', (route) => route.fulfill({ status: 302, headers: { location: 'http://login.test/' } })],
];
const answers = [
  ...logins,
  ...[200, 403, 404, 502].map((status): (typeof logins)[number] => [`a ${status} with a page`, html(status)]),
  [
    'a 401 with the members of an Error',
    (route) => route.fulfill({ status: 401, json: { code: 'unauthorized', message: 'Log in first.', status: 401 } }),
  ] satisfies (typeof logins)[number],
];

const foreign = "This answer isn't from Petstore";
const alert = () => page.getByRole('alert');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = () => page.getByRole('main').getByRole('link', { name: 'Rex' });

async function open(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function expectSignedIn(): Promise<void> {
  expect(await page.evaluate(() => sessionStorage.getItem('petstore.key'))).toBe(key);
  expect(await page.getByRole('dialog').count()).toBe(0);
}

it.each(answers)('%s is called that, keeps the rows and the key, and Try again continues', async (_, respond) => {
  await open('/pets');
  await row().waitFor();
  await page.route(api, respond);
  await refresh(page);
  await alert().getByText(foreign).waitFor();
  await alert().getByText('sign in to the network there').waitFor();
  await row().waitFor();
  await page.getByRole('cell', { name: 'Rabbits' }).first().waitFor();
  await expectSignedIn();
  // Before the service has accepted the key in this tab.
  for (const path of ['/pets', '/pets/1', '/overview']) {
    await open(path);
    await alert().getByText(foreign).waitFor();
    expect(await page.getByText(/not found|no animals/).count()).toBe(0);
    await expectSignedIn();
  }
  await page.unrouteAll();
  await button('Try again').click();
  await page.getByRole('main').getByRole('link', { name: 'Rabbits', exact: true }).waitFor();
});

describe.each(logins)('%s', (answer, respond) => {
  it('at sign-in is no fault of the key', async () => {
    const { page: other } = await openPage(store.browser);
    await other.goto(store.url('/pets'));
    await other.route(api, respond);
    const field = other.getByRole('textbox', { name: 'Key' });
    await field.fill(key);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').getByText(foreign).waitFor();
    expect(await violationsInAllLooks(other)).toEqual([]);
    await other.unrouteAll();
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    await other.close();
  });

  it('while animals are added loses none and adds none twice, also after a reload', async () => {
    const before = await store.count();
    const form = await AddForm.open(page, store.url('/pets/new'));
    const add = async (name: string) => {
      await form.name.fill(name);
      await page.getByRole('group', { name: 'Category' }).getByText('Rabbits').click();
      await form.submit();
    };
    // The service has added the animal, and its answer was replaced.
    await page.route('**/v1/pets', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch({ url: `${store.service.url}/v1/pets` });
      return respond(route);
    });
    await add(`Sent before ${answer}`);
    await alert().getByText("We couldn't confirm that the animal was added").waitFor();
    await alert().getByText(foreign).waitFor();
    await expectSignedIn();
    await page.route(api, respond);
    await add(`Not sent before ${answer}`);
    await alert().getByText('Not added').waitFor();
    await expectSignedIn();
    await page.reload();
    await expect.poll(() => alert().getByText(foreign).count()).toBe(2);
    await expectSignedIn();
    expect((await store.count()) - before).toBe(1);
    await page.unrouteAll();
    for (const count of [1, 2]) {
      // A second click at the same place would be that of a double click.
      await button('Try again').first().press('Enter');
      await form.justAdded(count).waitFor();
    }
    const added = (await store.names(7n)).filter((name) => name.endsWith(answer));
    expect(added).toEqual([`Not sent before ${answer}`, `Sent before ${answer}`]);
  });

  it('during an import stops it, and Continue import adds each row once', async () => {
    const { page: other } = await store.visit('/import');
    let posts = 0;
    await other.route('**/v1/pets', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      if (posts < 3) return route.continue();
      await route.fetch({ url: `${store.service.url}/v1/pets` });
      return respond(route);
    });
    const names = ['One', 'Two', 'Three', 'Four'].map((name) => `${name} before ${answer}`);
    await startImport(other, `name,category\n${names.map((name) => `${name},7\n`).join('')}`);
    await other.getByRole('alert').getByText(foreign).waitFor();
    await other.getByRole('alert').getByText('Nothing is lost').waitFor();
    expect(await other.getByRole('dialog').count()).toBe(0);
    await other.unrouteAll();
    await other.getByRole('button', { name: 'Continue import' }).click();
    await other.getByRole('heading', { name: '4 animals added' }).waitFor();
    await other.close();
    const added = (await store.names(7n)).filter((name) => names.includes(name));
    expect(added).toEqual(names.toSorted());
  });

  it('during the comparison of an import, and during an export, is called that, and both can be repeated', async () => {
    const { page: other } = await store.visit('/import');
    const foreignAlert = other.getByRole('alert').filter({ hasText: foreign });
    await other.route(/\/v1\/pets/, respond);
    await checkImportFile(other, 'name,category\nNew,7\n');
    await foreignAlert.waitFor();
    await other.unrouteAll();
    await other.getByRole('button', { name: 'Try again' }).click();
    await other.getByRole('button', { name: 'Import 1 animal' }).waitFor();
    await other.goto(store.url('/export'));
    await other.getByText(/^\d+ animals$/).waitFor();
    await other.route(api, respond);
    await other.getByRole('button', { name: 'Export' }).click();
    await foreignAlert.getByText('No file was saved.').waitFor();
    await other.unrouteAll();
    await downloadBy(other, () => other.getByRole('button', { name: 'Export' }).click());
    await other.close();
  });
});
