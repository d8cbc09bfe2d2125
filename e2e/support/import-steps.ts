import type { Locator, Page } from 'playwright-core';
import { holdRequests } from './page.js';

/** The heading of a step of the import. */
export function importStep(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 2, name });
}

/** Goes back to the choice of a file. */
export function chooseStep(page: Page): Locator {
  return page.getByRole('group', { name: 'Steps' }).getByRole('button', { name: 'Choose' });
}

export async function chooseImportFile(page: Page, content: string | Uint8Array, name = 'delivery.csv'): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
}

/** From the choice of the file to the comparison with the store. */
export async function checkImportFile(page: Page, content: string | Uint8Array): Promise<void> {
  await chooseImportFile(page, content);
  await page.getByRole('button', { name: 'Check rows' }).click();
}

/** From the choice of the file to the first request. */
export async function startImport(page: Page, content: string | Uint8Array): Promise<void> {
  await checkImportFile(page, content);
  await page.getByRole('button', { name: /^Import .* animals?$/ }).click();
}

/** Holds the requests that add animals, from a worker too. `first` resolves when one is held. */
export async function holdCreates(page: Page): Promise<{ first: Promise<unknown>; release: () => void }> {
  const first = page.waitForRequest('**/v1/pets');
  const release = await holdRequests(page, '**/v1/pets');
  return { first, release };
}

/** Drops files on an element, as a person does: the browser opens them unless the page takes them. */
export async function dropFiles(page: Page, target: Locator, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
}
