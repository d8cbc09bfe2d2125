import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { errors, failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page. */
beforeAll(async () => {
  store = await Store.start();
  for (const name of ['Rex', 'Mia', 'Zoë']) await store.add({ name, categoryId: 7n });
  ({ page } = await store.visit('/pets'));
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const alert = () => page.getByRole('alert');
const setOffline = (isOffline: boolean) => page.context().setOffline(isOffline);
const openLabels = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Labels' }).click();

const load = () => page.goto(store.url('/pets'));

async function openByCommand(command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(command);
  await page.keyboard.press('Enter');
}

/** Waits until the browser has loaded the last part of the code in advance. */
async function allCodeLoads(): Promise<void> {
  const hasLoaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some((entry) => entry.name.includes('/assets/guide-page')),
    );
  await expect.poll(hasLoaded).toBe(true);
}

describe('a page whose code does not load', () => {
  const code = '**/assets/labels-page-*';
  beforeEach(load);
  // React logs an error that a page shows.
  afterEach(() => expect(errors.splice(0)).toEqual([expect.stringContaining('CodeNotLoaded')]));

  it('shows the error, and Try again opens the page', async () => {
    await page.route(code, (route) => route.abort());
    await openLabels();
    await alert().getByText("Petstore doesn't answer").waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.unroute(code);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading('Print labels').waitFor();
  });

  it('offers the new version if the server has one, and keeps the form', async () => {
    await page.route(code, (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Add animal' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unfinished');
    await page.route(store.url('/'), (route) => route.fulfill({ contentType: 'text/html', body: '<p>New' }));
    await openLabels();
    await heading('Petstore was updated').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload for the new version' }).click();
    await heading('Print labels').waitFor();
    await page.goto(store.url('/pets/new'));
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Unfinished');
  });
});

it('without a network connection, the admin shows the list, the Overview and an animal, and says once that the device is offline and how old the page is, and opens every other page', async () => {
  await load();
  await allCodeLoads();
  const message = page.getByText(
    /^You're offline\. This page is from \d+:\d+.*\. You can't add animals until you're back online\.$/,
  );
  await page.getByRole('link', { name: 'All 3' }).waitFor();
  await setOffline(true);
  await message.waitFor();
  // No animals of another filter.
  await page.getByRole('link', { name: /^Sold/ }).click();
  await page.locator('section[aria-busy=true]').waitFor();
  expect(await page.getByRole('link', { name: 'Rex' }).count()).toBe(0);
  await page.getByRole('link', { name: 'All 3' }).click();
  // The list is old enough to be read again.
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
  // The totals that the list has shown.
  await page.getByRole('link', { name: /^All animals\s*3$/ }).waitFor();
  await message.waitFor();
  expect([await alert().count(), await page.getByText(/offline/).count()]).toEqual([0, 1]);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Animals' }).click();
  await page.getByRole('link', { name: 'Mia' }).click();
  await heading('Mia').waitFor();
  await message.waitFor();
  await page.getByText('Available').first().waitFor();
  expect([await alert().count(), await page.getByText(/offline/).count()]).toEqual([0, 1]);
  expect(await violationsInAllLooks(page)).toEqual([]);
  // Pages that were not opened before: their code is loaded in advance.
  await openLabels();
  await heading('Print labels').waitFor();
  await openByCommand('add animal');
  await heading('Add animal').waitFor();
});

it('while the service is stopped, the admin blames the service, not the network connection of the device, and every page opens', async () => {
  // On the page of the test before.
  await setOffline(false);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Animals' }).click();
  await page.getByRole('link', { name: 'All 3' }).waitFor();
  await store.service.end('SIGTERM');
  await page.clock.setFixedTime(Date.now() + 120_000);
  await page.getByRole('link', { name: 'Rex' }).click();
  await heading('Rex').waitFor();
  await alert().getByText("Petstore doesn't answer").waitFor();
  expect(await alert().innerText()).not.toContain('network connection');
  await openByCommand('export');
  await heading('Export animals').waitFor();
  await store.service.start();
});
