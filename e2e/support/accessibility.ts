import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe-core on the current page. Returns the rule and the element of each violation. */
export async function violations(page: Page): Promise<string[]> {
  await appearanceSettles(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

const looks = [
  { width: 412, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const;

/** Returns what is wrong with the page on a phone and a wide screen, in light and dark. Ends at 1280 px. */
export async function violationsInAllLooks(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const { width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // An open menu follows the new size with the next frame.
    await appearanceSettles(page);
    const found = [...(await page.evaluate(hiddenParts)), ...(await violations(page))];
    all.push(...found.map((problem) => `${width} px, ${colorScheme}: ${problem}`));
  }
  return all;
}

/** Runs in the page. Returns the controls that are partly out of view or cut, and the page if it scrolls sideways. */
function hiddenParts(): string[] {
  const scrollsSideways = (element: Element | null): boolean => {
    if (!element) return false;
    const { overflowX } = getComputedStyle(element);
    const scrolls = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth;
    return scrolls || scrollsSideways(element.parentElement);
  };
  const isOutside = (element: Element) => {
    const { left, right, width } = element.getBoundingClientRect();
    // A link before a heading stands a little to the left, so that its text is aligned.
    return width > 1 && (left < -4 || right > innerWidth + 4) && !scrollsSideways(element.parentElement);
  };
  const isCut = (element: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const canCut = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis';
    return canCut && element.matches('a, button, summary') && element.scrollWidth > element.clientWidth + 1;
  };
  const { scrollWidth } = document.documentElement;
  const found = scrollWidth > innerWidth ? [`scrolls sideways to ${scrollWidth} px`] : [];
  for (const element of document.querySelectorAll('a, button, input, select, textarea, summary')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (isOutside(element)) found.push(`out of view: ${element.outerHTML.slice(0, 120)}`);
    if (isCut(element)) found.push(`cut: ${element.outerHTML.slice(0, 120)}`);
  }
  return found;
}

/** Waits until scripts know the color scheme, and ends running animations, whose colors are temporary. */
async function appearanceSettles(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A change of the color scheme is reported with the next frame.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const runningAnimations = () =>
      document
        .getAnimations()
        // Some animations never end.
        .filter(({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity);
    // The end of a transition may start those of elements that inherit the color.
    for (let running = runningAnimations(); running.length > 0; running = runningAnimations()) {
      for (const animation of running) animation.finish();
      await new Promise(requestAnimationFrame);
    }
  });
}

/** Returns the name of the focused element, and whether its focus is visible. */
export function focus(page: Page): Promise<{ name: string; isBody: boolean; isVisible: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
    const texts = [element.ariaLabel, ...Array.from(labels ?? [], (label) => label.textContent), element.textContent];
    const isVisible = [getComputedStyle(element), getComputedStyle(element, '::after')].some(
      ({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none',
    );
    return { name: texts.find((text) => text?.trim())?.trim() ?? '', isBody: element === document.body, isVisible };
  });
}
