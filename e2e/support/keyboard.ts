import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { focus } from './accessibility.js';

/** Presses Tab (or Shift+Tab) until an element with that name has the focus. Every stop has a name and a visible focus. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const visited: string[] = [];
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press(key);
    const at = await focus(page);
    visited.push(at.name.slice(0, 30));
    if (!at.isBody) expect([at.name !== '', at.isVisible, at.name]).toEqual([true, true, at.name]);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
  }
  throw new Error(`${key} does not lead to ${String(name)}, but to ${visited.join(', ')}`);
}

/** Waits until the element with that name has the focus. */
export async function focused(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await focus(page)).name).toBe(name);
}

/**
 * Types like a hand scanner: 5 ms for each key, whatever the speed of the browser. `\r` is Enter. `start` is in seconds.
 * Returns the time of the next key.
 */
export async function scan(page: Page, text: string, start = Date.now() / 1000): Promise<number> {
  const session = await page.context().newCDPSession(page);
  for (const [index, character] of Array.from(text).entries()) {
    const key = character === '\r' ? { key: 'Enter', windowsVirtualKeyCode: 13 } : { key: character };
    const timestamp = start + index * 0.005;
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: character, timestamp, ...key });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, ...key });
  }
  await session.detach();
  return start + text.length * 0.005;
}
