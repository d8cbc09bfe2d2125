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

/** Holds the requests that add animals. Returns the function that lets them continue. */
export async function holdCreates(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/pets', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
