import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type jsQR from 'jsqr';
import type { Locator } from 'playwright-core';

const jsqrSource = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');

/** Reads the text of a QR code from a screenshot, as a camera does. */
export async function readQrCode(element: Locator): Promise<string | undefined> {
  const page = element.page();
  if (!(await page.evaluate(() => 'jsQR' in globalThis))) await page.evaluate(jsqrSource);
  const picture = (await element.screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser has no canvas.');
    context.drawImage(image, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    const { jsQR: read } = globalThis as unknown as { jsQR: typeof jsQR.default };
    return read(data, width, height)?.data;
  }, picture);
}
