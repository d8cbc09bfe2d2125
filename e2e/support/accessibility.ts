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

/** How a page is looked at. */
interface Look {
  width: number;
  height: number;
  colors: 'light' | 'dark' | 'forced';
  /** The rules of axe. Without them, only the place of the controls is checked. */
  rules?: 'all' | 'colors';
}

const phone = { width: 412, height: 900 };
const wide = { width: 1280, height: 900 };

/** With ALL_LOOKS=1, the tests take longer, and look at everything. */
export const isThorough = process.env['ALL_LOOKS'] === '1';

const usualLooks: readonly Look[] = [
  { ...phone, colors: 'light', rules: 'all' },
  { ...wide, colors: 'dark', rules: 'all' },
];

const allLooks: readonly Look[] = [
  { width: 320, height: 700, colors: 'light', rules: 'all' },
  { ...phone, colors: 'light', rules: 'all' },
  // The color schemes differ only in colors.
  { ...phone, colors: 'dark', rules: 'colors' },
  // A zoom of 400 % and of 200 % on a screen of 1280 px.
  { width: 320, height: 225, colors: 'light' },
  { width: 640, height: 450, colors: 'light' },
  { width: 1920, height: 1080, colors: 'light', rules: 'all' },
  { ...wide, colors: 'light', rules: 'all' },
  { ...wide, colors: 'dark', rules: 'colors' },
  { ...wide, colors: 'forced', rules: 'colors' },
];

/** Returns what is wrong with the current page: violations, and controls that are out of view. Ends at 1280 px. */
export async function violationsInAllLooks(page: Page, within?: string): Promise<string[]> {
  const all: string[] = [];
  for (const { width, height, colors, rules } of isThorough ? allLooks : usualLooks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: colors === 'dark' ? 'dark' : 'light',
      forcedColors: colors === 'forced' ? 'active' : 'none',
    });
    // An open menu follows the new size with the next frame.
    await appearanceSettles(page);
    const found = await page.evaluate(hiddenParts);
    if (rules) found.push(...(await violations(page, { ...(within && { within }), onlyColors: rules === 'colors' })));
    all.push(...found.map((problem) => `${width} × ${height} px, ${colors}: ${problem}`));
  }
  await page.setViewportSize(wide);
  return all;
}

/** Checks the page as it is shown now. With ALL_LOOKS=1, in all looks. */
export function violationsAsShown(page: Page): Promise<string[]> {
  return isThorough ? violationsInAllLooks(page) : violations(page);
}

/** Runs in the page. Returns the controls that are partly out of view or cut, and the page if it scrolls sideways. */
function hiddenParts(): string[] {
  const nameOf = (element: HTMLElement) => {
    const { left, right } = element.getBoundingClientRect();
    const name = element.getAttribute('aria-label') ?? (element.innerText || element.outerHTML.slice(0, 120));
    return `${element.localName} “${name}” from ${Math.round(left)} to ${Math.round(right)} px`;
  };
  const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')].filter(
    (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const scrollsSideways = (element: Element): boolean => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(parent).overflowX) && parent.scrollWidth > parent.clientWidth)
        return true;
    }
    return false;
  };
  const outside = controls.filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    // A link before a heading stands a little to the left, so that its text is aligned.
    return width > 1 && (left < -4 || right > innerWidth + 4) && !scrollsSideways(element);
  });
  const cut = controls.filter((element) => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const isText = element.matches('a, button, summary');
    return (
      isText &&
      /hidden|clip/.test(overflowX) &&
      textOverflow !== 'ellipsis' &&
      element.scrollWidth > element.clientWidth + 1
    );
  });
  const { scrollWidth } = document.documentElement;
  return [
    ...(scrollWidth > innerWidth ? [`scrolls sideways to ${scrollWidth} px`] : []),
    ...outside.map((element) => `out of view: ${nameOf(element)}`),
    ...cut.map((element) => `cut: ${nameOf(element)}`),
  ];
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
