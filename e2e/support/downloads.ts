import { arrayBuffer } from 'node:stream/consumers';
import type { Download, Page } from 'playwright-core';

/** The file that the browser saves when `act` is done. */
export async function downloadBy(page: Page, act: () => Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return download;
}

export async function contentOf(download: Download): Promise<Buffer> {
  return Buffer.from(await arrayBuffer(await download.createReadStream()));
}
