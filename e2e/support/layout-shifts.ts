import type { Page } from 'playwright-core';

interface LayoutShift extends PerformanceEntry {
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

declare global {
  interface Window {
    layoutShifts: string[];
  }
}

/** Records what moves on the pages that are opened from now on, unless a person has just caused it. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.layoutShifts = [];
    const textOf = ({ x, y, width, height }: DOMRectReadOnly) => `${width} × ${height} px at ${x}, ${y}`;
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue;
        for (const { node, previousRect, currentRect } of sources) {
          const html = node instanceof Element ? node.outerHTML : node?.textContent;
          window.layoutShifts.push(`${textOf(previousRect)} → ${textOf(currentRect)}: ${html?.slice(0, 100)}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the elements that have moved since the page was opened. */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // A shift is reported after the frame that shows it.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    return window.layoutShifts;
  });
}
