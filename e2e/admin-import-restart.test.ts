import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf, downloadBy } from './support/downloads.js';
import { chooseImportFile, importStep } from './support/import-steps.js';
import { Store } from './support/store.js';

let store: Store;

// With its own service, which it kills.
beforeAll(async () => {
  store = await Store.start();
});
afterAll(() => store.close());

it('an import of 300 rows waits while the service is killed and restarted, and adds each valid one once', async () => {
  const { page } = await store.visit('/pets');
  const step = (name: string) => importStep(page, name);
  const button = (name: string) => page.getByRole('button', { name });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Import' }).click();
  const names = Array.from({ length: 300 }, (_, index) => `Animal ${index + 1}`);
  const isRefused = (index: number) => index % 20 === 19;
  const rows = names.map((name, index) => `${name},${isRefused(index) ? 'seven' : 5000}`);
  await chooseImportFile(page, ['name,categoryId', ...rows].join('\n'));
  await button('Check rows').click();
  await step('285 animals ready to import').waitFor();
  expect(await store.count()).toBe(0);
  await button('Import 285 animals').click();
  await expect.poll(() => store.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(50);
  await store.service.end('SIGKILL');
  await page.getByText("Petstore doesn't answer. The import continues by itself when it does.").waitFor();
  await store.service.start();
  await step('Import finished').waitFor({ timeout: 60_000 });
  await page.getByText('285 added, 15 refused').waitFor();
  expect(await store.names(5000n)).toEqual(names.filter((_, index) => !isRefused(index)).toSorted());
  const saved = await downloadBy(page, () => button('Download refused rows').click());
  const refused = (await contentOf(saved)).toString().split('\r\n');
  expect(refused).toHaveLength(17);
  expect(refused.slice(0, 2)).toEqual([
    '\uFEFFname,categoryId,Line,Reason',
    'Animal 20,seven,21,"Category number must be a number, not “seven”."',
  ]);
});
