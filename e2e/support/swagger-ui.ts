import type { Locator, Page } from 'playwright-core';

/** Enters the key into the dialog of Swagger UI, and leaves it open. Returns the dialog. */
export async function authorize(page: Page, key: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('textbox').fill(key);
  // Its name is "Apply credentials" for a screen reader.
  await dialog.locator('button[type=submit]').click();
  return dialog;
}

export async function closeDialog(dialog: Locator): Promise<void> {
  await dialog.locator('.btn-done').click();
}

export function operation(page: Page, operationId: string): Locator {
  return page.locator(`#operations-animals-${operationId}`);
}

/** Opens an operation. Returns it. */
export async function expand(page: Page, operationId: string): Promise<Locator> {
  const block = operation(page, operationId);
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Execute' }).waitFor();
  await block.locator('tr[data-param-name] :is(input, select)').first().waitFor();
  return block;
}

/** Returns the text of the displayed response. */
export async function execute(block: Locator): Promise<string> {
  const response = block.page().waitForResponse(/\/v1\//);
  await block.getByRole('button', { name: 'Execute' }).click();
  await response;
  return block.locator('.live-responses-table pre').first().innerText();
}
