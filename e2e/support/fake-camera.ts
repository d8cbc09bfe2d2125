import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.js';

export interface CameraBrowser {
  browser: Browser;
  close: () => Promise<void>;
}

/** Starts a browser whose camera shows a PNG picture. */
export async function openCameraBrowser(page: Page, picture: Buffer): Promise<CameraBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-camera-'));
  const video = join(folder, 'camera.mjpeg');
  await writeFile(video, await toVideo(page, picture));
  const browser = await launchBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  );
  const close = async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  };
  return { browser, close };
}

/** A video in Motion JPEG, with one frame: a screenshot of the picture in the middle of a page. */
async function toVideo(page: Page, picture: Buffer): Promise<Buffer> {
  await page.setViewportSize({ width: 640, height: 480 });
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  await page.setContent(`<img src="${source}" style="position: fixed; left: 170px; top: 90px; width: 300px">`);
  return page.screenshot({ type: 'jpeg', scale: 'css' });
}
