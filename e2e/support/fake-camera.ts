import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { launchArgs } from './browser-args.js';

/** Long enough to be seen, at 30 pictures per second. */
const framesPerPicture = 30;

export interface CameraBrowser {
  browser: Browser;
  close: () => Promise<void>;
}

/** Starts a browser whose camera shows these PNG pictures one after the other, again and again. */
export async function openCameraBrowser(page: Page, pictures: readonly Buffer[]): Promise<CameraBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-camera-'));
  const video = join(folder, 'camera.mjpeg');
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

/** A video in Motion JPEG: screenshots of the pictures in the middle of a page. */
async function toVideo(page: Page, pictures: readonly Buffer[]): Promise<Buffer> {
  await page.setViewportSize({ width: 640, height: 480 });
  const frames: Buffer[] = [];
  for (const picture of pictures) {
    const source = `data:image/png;base64,${picture.toString('base64')}`;
    await page.setContent(`<img src="${source}" style="position: fixed; left: 170px; top: 90px; width: 300px">`);
    const frame = await page.screenshot({ type: 'jpeg', scale: 'css' });
    for (let count = 0; count < framesPerPicture; count += 1) frames.push(frame);
  }
  return Buffer.concat(frames);
}
