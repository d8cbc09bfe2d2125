import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violationsInAllLooks } from './support/accessibility.js';
import { type CameraBrowser, openCameraBrowser } from './support/fake-camera.js';
import { openPage } from './support/page.js';
import { key, Store } from './support/store.js';

let store: Store;
let page: Page;
/** Makes the pictures for the camera. */
let artist: Page;
/** The code of the animal 1 as it is printed from an address with a camera, and from another one. */
let code: Buffer;
let foreignCode: Buffer;
let camera: CameraBrowser | undefined;

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
  ({ page: artist } = await openPage(store.browser, { deviceScaleFactor: 3 }));
  await artist.goto(`${local('')}/labels?numbers=1#key=${key}`);
  code = await pictureOfCode();
  await artist.goto(store.url(`/labels?numbers=1#key=${key}`));
  foreignCode = await pictureOfCode();
  await artist.goto('about:blank');
});
afterEach(async () => {
  await page.close();
  await camera?.close();
  camera = undefined;
});

/** Browsers offer the camera only on https and on this computer. */
const local = (path: string) => `http://localhost:${store.service.port}${path}`;
const dialog = () => page.getByRole('dialog', { name: 'Scan a label' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const scan = () => page.getByRole('button', { name: /^Scan/ }).locator('visible=true').click();
const pictureOfCode = () => artist.getByRole('img', { name: 'QR code of animal 1' }).screenshot();

async function visitWithCamera(picture: Buffer): Promise<void> {
  camera = await openCameraBrowser(artist, picture);
  ({ page } = await openPage(camera.browser));
  await page.context().grantPermissions(['camera']);
  await page.goto(`${local('/labels')}#key=${key}`);
  await heading('Print labels').waitFor();
}

describe('scanning with the camera', () => {
  it('opens the animal of a label, on a wide screen and on a phone', async () => {
    await visitWithCamera(code);
    for (const width of [1280, 412]) {
      await page.setViewportSize({ width, height: 860 });
      await scan();
      await heading('Rex').waitFor();
      expect(await dialog().count()).toBe(0);
      await page.goBack();
      await heading('Print labels').waitFor();
    }
  });

  it('asks before it uses the number of a label from another address', async () => {
    await visitWithCamera(foreignCode);
    await scan();
    await dialog().getByText(store.url('')).waitFor();
    expect(await heading('Print labels').count()).toBe(1);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Use number 1 of this store' }).click();
    await heading('Rex').waitFor();
    expect(new URL(page.url()).origin).toBe(local(''));
  });
});

it('Back, Escape and a button close a dialog, not its page, and leave Back as it was', async () => {
  ({ page } = await store.visit('/labels', { viewport: { width: 412, height: 860 }, hasTouch: true, isMobile: true }));
  const help = () => page.keyboard.press('?');
  const back = () => page.goBack();
  const escape = () => page.keyboard.press('Escape');
  const button = () => page.getByRole('button', { name: 'Close' }).click();
  for (const [open, close] of [
    [help, back],
    [scan, back],
    [scan, escape],
    [help, button],
  ] as const) {
    await page.getByRole('link', { name: 'Overview' }).locator('visible=true').click();
    await heading('Overview').waitFor();
    await open();
    await page.getByRole('dialog').waitFor();
    await close();
    // A closed one has no role before it is gone.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/overview');
    await page.goBack();
    await heading('Print labels').waitFor();
  }
});

it('on plain HTTP, where browsers block the camera, a photo of a label opens its animal', async () => {
  ({ page } = await store.visit('/labels'));
  await scan();
  await dialog().getByText('This browser allows the camera only on a secure address').waitFor();
  const photo = dialog().getByLabel('Take or choose a photo');
  expect(await photo.getAttribute('capture')).toBe('environment');
  await photo.setInputFiles({ name: 'dark.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await dialog().getByText('No code found.').waitFor();
  await photo.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: foreignCode });
  await heading('Rex').waitFor();
});
