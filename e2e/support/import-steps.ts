import type { Locator, Page } from 'playwright-core';

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

interface HeldCreates {
  /** Resolves when the first request is held. */
  first: Promise<void>;
  /** Lets the requests continue. */
  release: () => void;
}

/** Holds the requests that add animals, from a worker too. */
export async function holdCreates(page: Page): Promise<HeldCreates> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reportFirst = () => {};
  const first = new Promise<void>((resolve) => {
    reportFirst = resolve;
  });
  await page.route('**/v1/pets', async (route) => {
    reportFirst();
    await released;
    await route.continue();
  });
  return { first, release };
}

/** Drops a file on an element, as a person does: the browser opens it unless the page takes it. */
export async function dropFile(page: Page, target: Locator, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  }
  await session.detach();
}
