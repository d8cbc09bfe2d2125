import type { Page } from 'playwright-core';
import { Store } from './store.js';

/** A store with the animals Rex, Mia and Zoe, and a page whose form keeps a category. */
export async function openKeptCategory(): Promise<{ store: Store; page: Page }> {
  const store = await Store.open();
  for (const name of ['Rex', 'Mia', 'Zoe']) await store.add({ name, categoryId: 7n });
  const { page } = await store.visit('/pets');
  await page.evaluate(() => sessionStorage.setItem('petstore.draft', '{"category":"7"}'));
  await page.reload();
  return { store, page };
}

/** Goes to the list from any page. No field has the focus. */
export async function showList(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Animals' }).click();
  await page.getByRole('link', { name: 'Zoe' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Animals', exact: true }).focus();
}
