import type { Locator, Page } from 'playwright-core';

/** The heading of a step of the import. */
export function importStep(page: Page, name: string | RegExp): Locator {
  return page.getByRole('heading', { level: 2, name });
}

export async function chooseImportFile(page: Page, content: string | Uint8Array): Promise<void> {
  const input = page.getByLabel('Choose a CSV file, or drop it here');
  await input.setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** From the choice of the file to the first request. */
export async function startImport(page: Page, content: string | Uint8Array): Promise<void> {
  await chooseImportFile(page, content);
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: /^Import .* animals?$/ }).click();
}

interface HeldCreates {
  /** Resolves when the first request is held. */
  first: Promise<void>;
  /** Lets the requests continue. */
  release: () => void;
}

/** Holds the requests that add animals. */
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
