import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { api, failures, refresh } from './support/page.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** 25 available animals of category 7 and 5 sold ones. All tests use one page. */
beforeAll(async () => {
  store = await Store.open();
  await store.sql(`INSERT INTO pet (name, category_id, status)
    SELECT 'Animal ' || number, 7, 'available' FROM generate_series(1, 25) AS number`);
  await store.sql(`INSERT INTO pet (name, category_id, status)
    SELECT 'Sold ' || number, 7, 'sold' FROM generate_series(1, 5) AS number`);
  ({ page } = await store.visit('/pets'));
});
afterEach(() => page.emulateMedia({ media: null }));

/** Loads a page and shows it as on paper. */
async function openOnPaper(path: string): Promise<void> {
  await page.goto(store.url(path));
  await page.locator('tbody tr').first().waitFor();
  await page.emulateMedia({ media: 'print' });
}

it('the visible page of the list on paper has a box for each animal, the date, the filter and what is missing, and no controls', async () => {
  await openOnPaper('/pets?status=available&category=7&limit=20');
  expect(await page.getByRole('checkbox', { name: 'Select' }).filter({ visible: true }).count()).toBe(20);
  const note = page.getByText(/This is page 1 of the list\./);
  expect(await note.innerText()).toBe(
    `${new Date().toDateString()} · Category 7 · Available. This is page 1 of the list. To print all animals, export the list.`,
  );
  for (const control of ['banner', 'navigation', 'combobox'] as const)
    expect([control, await page.getByRole(control).filter({ visible: true }).count()]).toEqual([control, 0]);
  await store.sql('UPDATE pet SET id = id + 1000000');
  await openOnPaper('/pets?status=sold');
  const cut = (cells: Element[]) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length;
  const cutCells = await page.locator('tbody td:nth-child(2)').evaluateAll(cut);
  await store.sql('UPDATE pet SET id = id - 1000000');
  expect(cutCells).toBe(0);
  expect(await page.getByText('This is page').count()).toBe(0);
});

/** Texts that are too pale for white paper, dark areas that waste ink, what is not part of the page, and what can cover it. */
function faultsOnPaper(): string[] {
  const darkness = (color: string) => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return alpha * (1 - (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255);
  };
  return [...document.querySelectorAll('html, body, body *:not(svg, svg *)')].flatMap((element) => {
    const { color, backgroundColor, display, position } = getComputedStyle(element);
    if (!element.checkVisibility({ checkVisibilityCSS: true }) || display === 'contents') return [];
    const ownText = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const text = ownText.map(({ data }: Node & { data?: string }) => data?.trim()).join('');
    const isControl = !element.closest('main') || element.matches('nav *, [role=menu] *, dialog *');
    return [
      ...(text !== '' && darkness(color) < 0.5 ? [`pale: ${text}`] : []),
      ...(element.textContent !== '' && darkness(backgroundColor) > 0.5
        ? [`dark: ${element.outerHTML.slice(0, 100)}`]
        : []),
      ...(text !== '' && isControl ? [`control: ${text}`] : []),
      // Browsers repeat what is fixed on every sheet.
      ...(['fixed', 'sticky'].includes(position) ? [`${position}: ${element.textContent}`] : []),
    ];
  });
}

it('the dark theme prints dark text on white, without controls, from a wide screen and a phone', async () => {
  const { page: dark } = await store.visit('/pets', { colorScheme: 'dark' });
  const expectNoFaults = async (path: string) => {
    for (const width of [1280, 412]) {
      await dark.setViewportSize({ width, height: 860 });
      await dark.emulateMedia({ media: 'print' });
      await expect.poll(() => dark.evaluate(faultsOnPaper), { message: `${path}, ${width} px` }).toEqual([]);
      await dark.emulateMedia({ media: null });
    }
  };
  for (const path of ['/pets/30', '/overview', '/guide', '/labels?animals=all', '/pets/new', '/pets']) {
    await dark.goto(store.url(path));
    await dark.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    await dark.getByText('Loading').waitFor({ state: 'hidden' });
    await expectNoFaults(path);
  }
  await dark.getByRole('button', { name: 'Menu' }).click();
  await dark.getByRole('button', { name: 'Sign out' }).waitFor();
  await expectNoFaults('the menu');
  await dark.close();
});

it('paper has only the heading, the note and the rows, whatever is above them or over them on the screen', async () => {
  const { page: busy } = await store.visit('/pets');
  await busy.getByRole('checkbox', { name: 'Select Animal 25' }).check();
  await store.add({ name: 'New', categoryId: 7n });
  await refresh(busy);
  await busy.getByRole('button', { name: '1 new animal' }).waitFor();
  await busy.route(api, (route) => route.abort('connectionrefused'));
  await refresh(busy);
  await busy.getByRole('alert').getByText("Petstore doesn't answer").waitFor();
  await busy.context().setOffline(true);
  await busy.getByText("You're offline.").waitFor();
  await busy.keyboard.press('?');
  await busy.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  for (const width of [1280, 412]) {
    await busy.setViewportSize({ width, height: 600 });
    await busy.emulateMedia({ media: 'print' });
    const words = (text: string) => text.split(/\s+/).join(' ');
    const parts = await Promise.all(
      [busy.getByRole('heading', { level: 1 }), busy.getByText(/All animals\./), busy.locator('table')].map((part) =>
        part.innerText(),
      ),
    );
    expect([width, words(await busy.locator('body').innerText())]).toEqual([width, words(parts.join(' '))]);
    // Space below the rows could print an empty sheet.
    const spaceBelow = await busy.locator('table').evaluate((table) => {
      const { bottom } = table.getBoundingClientRect();
      return document.documentElement.scrollHeight - scrollY - bottom;
    });
    expect([width, spaceBelow]).toEqual([width, expect.closeTo(0, -1) as number]);
    await busy.emulateMedia({ media: null });
  }
  await busy.close();
  failures.splice(0);
});
