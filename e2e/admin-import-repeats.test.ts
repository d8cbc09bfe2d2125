import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { chooseImportFile, holdCreates, importStep } from './support/import-steps.js';
import { failures } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

beforeAll(async () => {
  store = await Store.open();
});
// Failed requests belong to these tests.
afterEach(() => void failures.splice(0));
afterEach(() => page.close());

const step = (name: string | RegExp) => importStep(page, name);
const button = (name: string | RegExp) => page.getByRole('button', { name });

async function check(content: string): Promise<void> {
  ({ page } = await store.visit('/import'));
  await chooseImportFile(page, content);
  await button('Check rows').click();
}

describe('animals of a file that are already in the store', () => {
  it('are shown before the import, which starts only after the person has chosen to leave them out', async () => {
    const rex = await store.add({ name: 'Rex', categoryId: 8001n });
    await check('name,category\nREX,8001\nGoldfish,8001\nGoldfish,8001\nRex,8002\n');
    await step('3 animals ready to import').waitFor();
    await page.getByText('1 animal already in the store').waitFor();
    await page.getByText('1 row repeats the name and category of an earlier row in this file.').waitFor();
    const existing = page.getByRole('row', { name: `2 REX: already in the store as number ${rex.id}` });
    expect(await existing.getByRole('link').getAttribute('href')).toBe(`/pets/${rex.id}`);
    await page.getByRole('row', { name: '4 Goldfish: more than once in this file' }).waitFor();
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
    await button('Import animals').click({ force: true });
    expect(await step('3 animals ready to import').count()).toBe(1);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Only the 3 animals not in the store yet' }).check();
    await button('Import 3 animals').click();
    await step('Import finished').waitFor();
    await page.getByText('3 added, 0 refused, 1 left out').waitFor();
    expect(await store.names(8001n)).toEqual(['Goldfish', 'Goldfish', 'Rex']);
    expect(await store.names(8002n)).toEqual(['Rex']);
  });

  it('stay left out when the import continues after a reload, which says how many remain, and another tab shows the result', async () => {
    await store.add({ name: 'Animal 1', categoryId: 8004n });
    const names = Array.from({ length: 60 }, (_, index) => `Animal ${index + 1}`);
    await check(['name,category', ...names.map((name) => `${name},8004`)].join('\n'));
    await page.getByRole('radio', { name: 'Only the 59' }).check();
    const creates = await holdCreates(page);
    await button('Import 59 animals').click();
    await creates.first;
    await button('Pause').click();
    creates.release();
    await step('Import paused').waitFor();
    const added = await store.names(8004n);
    await page.reload();
    await page.getByText(`${60 - added.length} of 59 animals remain to be added.`).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await importStep(other, 'Continue the import of delivery.csv').waitFor();
    await button('Continue import').click();
    await importStep(other, 'Import finished').waitFor();
    await other.getByText('59 added, 0 refused, 1 left out').waitFor();
    await button('Import another file').click();
    await importStep(other, 'Choose your animals').waitFor();
    expect(await store.names(8004n)).toEqual(names.toSorted());
  });

  it('are not known when the store cannot be read: the person can try again', async () => {
    ({ page } = await store.visit('/import'));
    await page.context().route('**/v1/pets?*', (route) => route.abort());
    await chooseImportFile(page, 'name,category\nAda,8005\n');
    await button('Check rows').click();
    await page.getByText('The rows could not be compared with the store.').waitFor();
    await button('Import 1 animal without comparing').waitFor();
    await page.context().unroute('**/v1/pets?*');
    await button('Try again').click();
    await button(/^Import 1 animal$/).waitFor();
  });
});
