import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allLooks, violationsInAllLooks } from '../support/accessibility.js';
import { adminStates } from './admin-states.js';
import { openPage } from '../support/page.js';
import { Store } from '../support/store.js';

let directory: string;
let store: Store;
/** One page for all states. */
let page: Page;

/** Of a category with a name, and of one without, whose number has 19 digits. */
const animals = `INSERT INTO pet (name, category_id, status)
  SELECT 'Animal ' || n, CASE WHEN n % 3 = 0 THEN 7 ELSE 9223372036854775807 END,
    (ARRAY['available', 'sold'])[1 + n % 2]::"PetStatus"
  FROM generate_series(1, 25) AS n`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-accessibility-'));
  const file = join(directory, 'categories.csv');
  await writeFile(file, 'number,name\n7,Rabbits\n8,Fish\n');
  store = await Store.start({ CATEGORIES_FILE: file });
});
afterEach(async () => {
  // First, because `unrouteAll` lets held requests go.
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.context().setOffline(false);
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

describe('axe finds no violation, no control is out of view or cut, and nothing scrolls sideways,', () => {
  it('on the sign-in page, also after a wrong key', async () => {
    ({ page } = await openPage(store.browser));
    await page.goto(store.url('/pets'), { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectNoProblems();
    await page.getByRole('textbox', { name: 'API key' }).fill('psk_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expectNoProblems();
  });

  it('in a store without animals', async () => {
    ({ page } = await store.visit('/overview'));
    for (const path of ['/overview', '/pets']) {
      await page.goto(store.url(path), { waitUntil: 'networkidle' });
      await page.getByRole('heading', { name: 'Your store has no animals yet' }).waitFor();
      await expectNoProblems();
    }
  });

  describe('in a store with animals', () => {
    beforeAll(() => store.sql(animals));

    it.each(Object.entries(adminStates))('at %s', async (state, reach) => {
      const [path = ''] = state.split(' ');
      await page.goto(store.url(path), { waitUntil: 'networkidle' });
      await reach(page);
      await expectNoProblems();
    });
  });
});

async function expectNoProblems(): Promise<void> {
  expect(await violationsInAllLooks(page, undefined, allLooks)).toEqual([]);
}
