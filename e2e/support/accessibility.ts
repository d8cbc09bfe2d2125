import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The color rules of axe that are on by default. */
const colorRules = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] };

interface Scope {
  /** A CSS selector of the part to check. Default: the page. */
  within?: string;
  /** Checks only the rules on colors. */
  onlyColors?: boolean;
}

/** Runs axe-core on the current page. Returns the rule and the element of each violation. */
export async function violations(page: Page, { within = 'html', onlyColors = false }: Scope = {}): Promise<string[]> {
  await appearanceSettles(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ['violations'], ...(onlyColors && { runOnly: colorRules }) };
  const results = await page.evaluate(
    (args) =>
      (globalThis as unknown as { axe: { run(...args: [string, RunOptions]): Promise<AxeResults> } }).axe.run(...args),
    [within, options] as [string, RunOptions],
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns the violations of the current page, and whether it scrolls sideways, at 412 and 1280 px, light and dark. */
export async function violationsInAllLooks(page: Page, within?: string): Promise<string[]> {
  const all: string[] = [];
  for (const width of [412, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    // The color schemes differ only in colors.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await violations(page, { ...(within && { within }), onlyColors: colorScheme === 'dark' });
      all.push(...found.map((violation) => `${width} px, ${colorScheme}: ${violation}`));
    }
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    if (scrollWidth > width) all.push(`${width} px: scrolls sideways to ${scrollWidth} px`);
  }
  return all;
}

/** Waits until scripts know the color scheme, and ends running animations, whose colors are temporary. */
async function appearanceSettles(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A change of the color scheme is reported with the next frame.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
    const runningAnimations = () =>
      document.getAnimations().filter(({ playState, effect }) => {
        // Some animations never end.
        return playState === 'running' && effect?.getComputedTiming().iterations !== Infinity;
      });
    // The end of a transition may start those of elements that inherit the color.
    for (let running = runningAnimations(); running.length > 0; running = runningAnimations()) {
      for (const animation of running) animation.finish();
      await new Promise(requestAnimationFrame);
    }
  });
}

/** Returns role and name of the focused element, and whether its focus is visible. */
export function focus(page: Page): Promise<{ name: string; isBody: boolean; isVisible: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? [...(element.labels ?? [])] : [];
    const texts = [
      element.getAttribute('aria-label'),
      ...labels.map((label) => label.textContent),
      element.textContent,
    ];
    const appearances = [getComputedStyle(element), getComputedStyle(element, '::after')];
    const isVisible = appearances.some(
      ({ outlineStyle, boxShadow }) => outlineStyle !== 'none' || boxShadow !== 'none',
    );
    return { name: texts.find((text) => text?.trim())?.trim() ?? '', isBody: element === document.body, isVisible };
  });
}
