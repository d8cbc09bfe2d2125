import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchArgs } from './browser-args.js';

const [width, height] = [640, 480];
/** Long enough to be seen, at 10 pictures per second. */
const framesPerPicture = 10;

export interface CameraBrowser {
  browser: Browser;
  close: () => Promise<void>;
}

/** Starts a browser whose camera shows these PNG pictures one after the other, again and again. */
export async function openCameraBrowser(page: Page, pictures: readonly Buffer[]): Promise<CameraBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-camera-'));
  const video = join(folder, 'camera.y4m');
  await writeFile(video, await toVideo(page, pictures));
  const browser = await chromium.launch({
    executablePath: inject('browserPath'),
    args: [
      ...launchArgs,
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${video}`,
    ],
  });
  const close = async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  };
  return { browser, close };
}

/** A video in YUV4MPEG2 without colors. */
async function toVideo(page: Page, pictures: readonly Buffer[]): Promise<Buffer> {
  const color = new Uint8Array((width * height) / 2).fill(128);
  const parts: Uint8Array[] = [Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`)];
  for (const picture of pictures) {
    const frame = [Buffer.from('FRAME\n'), await toLuma(page, picture), color];
    for (let count = 0; count < framesPerPicture; count += 1) parts.push(...frame);
  }
  return Buffer.concat(parts);
}

/** The brightness of each pixel, with the picture in the middle. */
async function toLuma(page: Page, picture: Buffer): Promise<Uint8Array> {
  const pixels = await page.evaluate(
    async ([base64, w, h]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: w, height: h });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('The browser has no canvas.');
      context.fillStyle = '#fff';
      context.fillRect(0, 0, w, h);
      const side = 300;
      context.drawImage(image, (w - side) / 2, (h - side) / 2, side, side);
      const { data } = context.getImageData(0, 0, w, h);
      const luma = Uint8Array.from({ length: w * h }, (_, index) => data[index * 4] ?? 0);
      // As text: Playwright needs seconds for an array of this length.
      return btoa(luma.reduce((text, pixel) => text + String.fromCodePoint(pixel), ''));
    },
    [picture.toString('base64'), width, height] as const,
  );
  return Buffer.from(pixels, 'base64');
}
