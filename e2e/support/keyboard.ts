import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { focus } from './accessibility.js';

/** Presses Tab (or Shift+Tab) until an element with that name has the focus. Every stop has a name and a visible focus. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press(key);
    const at = await focus(page);
    if (!at.isBody) expect([at.name !== '', at.isVisible, at.name]).toEqual([true, true, at.name]);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
  }
  throw new Error(`${key} does not lead to ${String(name)}`);
}

/** Waits until the element with that name has the focus. */
export async function focused(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await focus(page)).name).toBe(name);
}
