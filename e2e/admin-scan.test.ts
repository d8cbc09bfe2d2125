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
/** The codes of the animals 1 and 2 as they are printed from an address with a camera, and of 1 from another one. */
let codes: Buffer[];
let foreignCode: Buffer;
let camera: CameraBrowser | undefined;

beforeAll(async () => {
  store = await Store.open();
  await store.add({ name: 'Rex', categoryId: 7n });
  await store.add({ name: 'Zoë', categoryId: 7n, status: 'sold' });
  ({ page: artist } = await openPage(store.browser, { deviceScaleFactor: 3 }));
  await artist.goto(`${local('')}/labels?numbers=1-2#key=${key}`);
  codes = [await pictureOf(1), await pictureOf(2)];
  await artist.goto(store.url(`/labels?numbers=1#key=${key}`));
  foreignCode = await pictureOf(1);
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
const pictureOf = (id: number) => artist.getByRole('img', { name: `QR code of animal ${id}` }).screenshot();

async function visitWithCamera(pictures: readonly Buffer[]): Promise<void> {
  camera = await openCameraBrowser(artist, pictures);
  ({ page } = await openPage(camera.browser));
  await page.context().grantPermissions(['camera']);
  await page.goto(`${local('/labels')}#key=${key}`);
  await heading('Print labels').waitFor();
}

describe('scanning with the camera', () => {
  it('opens the animal of a label, on a wide screen and on a phone', async () => {
    await visitWithCamera(codes.slice(0, 1));
    for (const width of [1280, 412]) {
      await page.setViewportSize({ width, height: 860 });
      await scan();
      await heading('Rex').waitFor();
      expect(await dialog().count()).toBe(0);
      await page.goBack();
      await heading('Print labels').waitFor();
    }
  });

  it('collects several animals, for labels or to look at each', async () => {
    await visitWithCamera(codes);
    await page.evaluate(() => {
      // Holds the camera until the box is ticked.
      const { mediaDevices } = navigator;
      const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async (constraints) => {
        const isTicked = () =>
          document.querySelector<HTMLInputElement>('dialog input[type=checkbox]')?.checked ?? false;
        while (!isTicked()) await new Promise(requestAnimationFrame);
        return getUserMedia(constraints);
      };
    });
    await scan();
    await dialog().getByRole('checkbox', { name: 'Scan several labels' }).check();
    const pets = dialog().getByRole('list', { name: 'Scanned animals' });
    await pets.getByRole('link', { name: '1 Rex' }).waitFor();
    await pets.getByRole('link', { name: '2 Zoë' }).waitFor();
    expect(await violationsInAllLooks(page)).toEqual([]);
    await pets.getByRole('link', { name: '1 Rex' }).click();
    await heading('Rex').waitFor();
    await scan();
    await dialog().getByRole('link', { name: 'Print 2 labels' }).click();
    await page.getByRole('region', { name: 'Labels' }).getByText('2 labels.').waitFor();
  });

  it('asks before it uses the number of a label from another address', async () => {
    await visitWithCamera([foreignCode]);
    await scan();
    await dialog().getByText(store.url('')).waitFor();
    expect(await heading('Print labels').count()).toBe(1);
    expect(await violationsInAllLooks(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Use number 1 of this store' }).click();
    await heading('Rex').waitFor();
    expect(new URL(page.url()).origin).toBe(local(''));
  });
});

it('Back closes a dialog, not its page, also on the first page of a tab, and a closed dialog leaves Back as it was', async () => {
  ({ page } = await store.visit('/labels', { viewport: { width: 412, height: 860 }, hasTouch: true, isMobile: true }));
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const ways = {
    back: () => page.goBack(),
    escape: () => page.keyboard.press('Escape'),
    button: () => page.getByRole('button', { name: 'Close' }).click(),
  };
  for (const close of Object.values(ways)) {
    for (const opened of [dialog(), help]) {
      await page.getByRole('link', { name: 'Overview' }).locator('visible=true').click();
      await heading('Overview').waitFor();
      await (opened === help ? page.keyboard.press('?') : scan());
      await opened.waitFor();
      await close();
      // A closed one has no role before it is gone.
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/overview');
      await page.goBack();
      await heading('Print labels').waitFor();
    }
  }
  await scan();
  await dialog().waitFor();
  await page.goBack();
  await dialog().waitFor({ state: 'detached' });
  expect(page.url()).toBe(store.url('/labels'));
});

it('on plain HTTP, where browsers block the camera, a photo of a label opens its animal', async () => {
  ({ page } = await store.visit('/labels'));
  await scan();
  await dialog().getByText('This browser allows the camera only on a secure address').waitFor();
  const photo = dialog().getByLabel('Take or choose a photo of the code');
  expect(await photo.getAttribute('capture')).toBe('environment');
  await photo.setInputFiles({ name: 'dark.png', mimeType: 'image/png', buffer: await page.screenshot() });
  await dialog().getByText('No code found.').waitFor();
  await photo.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: foreignCode });
  await heading('Rex').waitFor();
});
