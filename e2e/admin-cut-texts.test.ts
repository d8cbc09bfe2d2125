import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

const name = 'A very long name of an animal that no column of a list can show '.repeat(3).trim();
const category = 'Guinea pigs and other rodents of the south and those of the north with all of their young';

beforeAll(async () => {
  store = await Store.open(`7,${category}`, '8,Fish');
  for (let count = 0; count < 2; count += 1) await store.add({ name, categoryId: 7n });
  ({ page } = await store.visit('/pets'));
});

/** The texts that are cut, each with whether the pointer on it shows the whole text. */
function cutTexts(container = 'main'): Promise<[text: string, isShown: boolean][]> {
  return page.evaluate((selector) => {
    const isCut = (element: Element) => {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
      const isHidden = overflowX === 'hidden' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none');
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      return isHidden && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1);
    };
    const elements = [...document.querySelectorAll(`${selector} *`)].filter((element) => isCut(element));
    return elements.map((element) => {
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      const target = document.elementFromPoint(x + width / 2, y + height / 2);
      const text = element.textContent;
      return [text, target?.closest<HTMLElement>('[title]')?.title.includes(text) ?? false];
    });
  }, container);
}

it.each([
  ['the list', '/pets', 4],
  ['the filter of a list', '/pets?q=very&category=7', 5],
  ['the Overview', '/overview', 1],
  ['the page of an animal', '/pets/1', 1],
  ['the newest animals next to the form', '/pets/new', 3],
  ['labels', '/labels?numbers=1', 1],
])('%s shows the whole text of a name or a category that is cut', async (_, path, count) => {
  await page.goto(store.url(path), { waitUntil: 'networkidle' });
  const texts = await cutTexts();
  expect(texts.length).toBeGreaterThanOrEqual(count);
  expect(texts.filter(([, isShown]) => !isShown)).toEqual([]);
});

it('the list of the search field shows the whole text of a name or a category that is cut', async () => {
  await page.goto(store.url('/pets'));
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('guinea');
  await page.getByRole('option', { name: category }).first().waitFor();
  await page.getByRole('combobox', { name: 'Find an animal' }).fill('long name');
  await page.getByRole('option', { name }).first().waitFor();
  const texts = await cutTexts('[role=listbox]');
  expect(texts.length).toBeGreaterThanOrEqual(3);
  expect(texts.filter(([, isShown]) => !isShown)).toEqual([]);
});
