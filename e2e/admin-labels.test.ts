import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { chooseInListMenu, refresh } from './support/page.js';
import { pdfPageSizes } from './support/pdf-pages.js';
import { readQrCode } from './support/qr-code.js';
import { Store } from './support/store.js';

let store: Store;
let page: Page;

/** All tests use one page, which is sharp enough for a QR code of 25 mm. */
beforeAll(async () => {
  store = await Store.open();
  for (const name of ['Rex', 'Zoë', 'Ada', 'Max', 'x'.repeat(200)]) {
    await store.add({ name, categoryId: 7n, status: name === 'Ada' ? 'sold' : 'available' });
  }
  ({ page } = await store.visit('/pets', { deviceScaleFactor: 3 }));
});

const labels = () => page.getByRole('region', { name: 'Labels' }).getByRole('listitem');
const code = (id: number) => page.getByRole('img', { name: `QR code of animal ${id}`, exact: true });
const choice = () => page.getByRole('combobox', { name: 'Animals', exact: true });
const summary = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });

const visit = (path: string) => page.goto(store.url(path));
async function printedPages(): Promise<string[]> {
  return pdfPageSizes(await page.pdf({ preferCSSPageSize: true }));
}

describe('labels', () => {
  it('for one animal have its name, number and category, and a code that opens its page', async () => {
    await visit('/pets/2');
    await page.getByRole('link', { name: 'Print label' }).click();
    await code(2).waitFor();
    await heading('Print labels').waitFor();
    expect(await labels().allInnerTexts()).toEqual(['Zoë\n2\nCategory 7']);
    const address = await readQrCode(code(2));
    expect(address).toBe(store.url('/pets/2'));
    await page.getByRole('combobox', { name: 'Find an animal' }).focus();
    await page.keyboard.type(address ?? '');
    await page.keyboard.press('Enter');
    await heading('Zoë').waitFor();
  });

  it('for the filter of the list leave out sold animals on request, and for typed and scanned numbers name those that no animal has', async () => {
    await visit('/pets');
    await chooseInListMenu(page, 'Print labels');
    await summary('5 labels');
    await page.getByLabel('Leave out sold animals').check();
    await summary('4 labels');
    await summary('1 sold animal is left out.');
    await choice().selectOption('Sold');
    await summary('0 labels');
    await page.getByLabel('Leave out sold animals').uncheck();

    await choice().selectOption('By number');
    const field = page.getByRole('textbox', { name: 'Animal numbers' });
    await field.fill('4, abc, 1.5');
    await field.press('Enter');
    await page.getByText('This is neither: abc, 1.5.').waitFor();
    await field.fill('1-501');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'These are more than 500 animals' }).waitFor();
    await field.fill('4, 1 – 2; 99');
    await field.press('Enter');
    await page.getByText('No animal has the number 99.').waitFor();
    expect(await labels().locator('bdi:first-child').allInnerTexts()).toEqual(['Max', 'Rex', 'Zoë']);
    await page.keyboard.type('http://192.168.1.5:3000/pets/3\n');
    await expect.poll(() => labels().count()).toBe(4);
    // The address keeps the choice.
    await page.reload();
    await page.getByText('No animal has the number 99.').waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
  });

  it('do not change while they are printed', async () => {
    await visit('/labels?animals=all');
    await labels().nth(4).waitFor();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await refresh(page);
    // A page asks for all its changes at once.
    await expect.poll(() => requested).toContain('/categories.json');
    expect(requested).not.toContain('/v1/pets');
  });

  it('can be printed from every place of the page', async () => {
    await visit('/labels?numbers=1-5,1-5,1-5,1-5');
    await labels().nth(19).waitFor();
    for (const width of [412, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      for (const position of [0, 10_000]) {
        await page.evaluate((top) => scrollTo(0, top), position);
        const box = await page.getByRole('button', { name: 'Print labels' }).boundingBox();
        expect([width, position, (box?.y ?? -1) >= 0 && (box?.y ?? 900) + (box?.height ?? 0) <= 860]).toEqual([
          width,
          position,
          true,
        ]);
      }
    }
  });
});

it('on paper, each label of a roll is one page of its size, and a test page is one sheet with labels of the chosen size', async () => {
  await visit('/labels?animals=all');
  await labels().nth(4).waitFor();
  expect(await printedPages()).toEqual(Array.from({ length: 5 }, () => '62 × 29'));
  await page.getByLabel('Label size').selectOption('Roll, 89 × 36 mm');
  expect(await printedPages()).toEqual(Array.from({ length: 5 }, () => '89 × 36'));
  await page.emulateMedia({ media: 'print' });
  expect(await readQrCode(code(1))).toBe(store.url('/pets/1'));

  await page.emulateMedia({ media: null });
  await choice().selectOption('Test page');
  for (const [size, count, width, height, sheet, left, top, step] of [
    ['21 on A4, 63.5 × 38.1 mm', 21, 63.5, 38.1, '210 × 297', 7.25, 15.15, 66],
    ['8 on A4, 99.1 × 67.7 mm', 8, 99.1, 67.7, '210 × 297', 4.65, 13.1, 101.6],
    // As Avery prints in its templates: the first label is 3/16 (5/32) inch from the left edge, and 1/2 inch from the top.
    ['30 on US Letter (Avery 5160)', 30, 66.675, 25.4, '216 × 279', 4.7625, 12.7, 69.85],
    ['10 on US Letter (Avery 5163)', 10, 101.6, 50.8, '216 × 279', 3.96875, 12.7, 106.3625],
  ] as const) {
    await page.getByLabel('Label size').selectOption(size);
    await expect.poll(() => labels().count(), { message: size }).toBe(count);
    expect([size, ...(await printedPages())]).toEqual([size, sheet]);
    await page.emulateMedia({ media: 'print' });
    const none = { x: 0, y: 0, width: 0, height: 0 };
    const paper = (await page.getByRole('list', { name: 'Page 1' }).boundingBox()) ?? none;
    const [first = none, second = none] = (await Promise.all(
      [0, 1].map((at) => labels().nth(at).boundingBox()),
    )) as (typeof none)[];
    const sides = [first.width, first.height, first.x - paper.x, first.y - paper.y, second.x - first.x];
    expect([size, ...sides.map((pixels) => (pixels / 96) * 25.4)]).toEqual([
      size,
      ...[width, height, left, top, step].map((side) => expect.closeTo(side, 1) as number),
    ]);
    expect([size, await readQrCode(code(1).last())]).toEqual([size, store.url('/pets/1')]);
    await page.emulateMedia({ media: null });
  }
  await page.getByLabel('Label size').selectOption('Own size on a roll');
  for (const [width, height, size] of [
    ['50', '25.4', '50 × 25'],
    ['101,6', '150', '102 × 150'],
  ] as const) {
    await page.getByLabel('Width in mm').fill(width);
    await page.getByLabel('Height in mm').fill(height);
    await expect.poll(printedPages).toEqual([size]);
  }
  await page.getByLabel('Height in mm').fill('9');
  await page.getByText('Enter 10 to 200 mm').waitFor();
  await page.reload();
  expect(await page.getByLabel('Width in mm').inputValue()).toBe('101.6');
  await page.getByLabel('Label size').selectOption('8 on A4, 99.1 × 67.7 mm');
  await expect.poll(() => labels().count()).toBe(8);
  expect(await violationsInAllLooks(page)).toEqual([]);
});
