import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe-core on the current page. Returns the rule and the element of each violation. */
export async function violations(page: Page): Promise<string[]> {
  // Wait for running animations, whose colours are temporary. Some never end.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  });
  await page.evaluate(axeSource);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
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
