import type { Locator, Page } from 'playwright-core';

/** Copies a text, and pastes it into a field, as a person does. */
export async function paste(page: Page, field: Locator, text: string): Promise<void> {
  const source = await page.evaluateHandle((copied) => {
    const created = Object.assign(document.createElement('textarea'), { value: copied });
    document.querySelector('main')?.append(created);
    created.select();
    return created;
  }, text);
  await page.keyboard.press('Control+C');
  await source.evaluate((created) => created.remove());
  await field.focus();
  await page.keyboard.press('Control+V');
}
