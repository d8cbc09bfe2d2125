import type { Page } from 'playwright-core';

declare global {
  interface Window {
    layoutShifts: string[];
  }
}

interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  value: number;
  sources: { node: Node | null }[];
}

/** Records what moves on the pages that are opened from now on, unless a person has just caused it. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? '');
        if (!hadRecentInput)
          window.layoutShifts.push(`${value}: ${moved.map((html) => html.slice(0, 100)).join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the size of each layout shift since the page was opened, and the elements that moved. */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // A shift is reported after the frame that shows it.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    return window.layoutShifts;
  });
}
