import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';

export interface WatchedPage {
  page: Page;
  /** Failed requests and answers from 400 on, which a test may cause on purpose. */
  troubles: string[];
}

/** Uncaught errors, and errors and warnings on the console: no test wants any. */
const errors: string[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const troubles: string[] = [];
  // Of the context, so that the tabs that a test opens itself are watched too.
  context.on('console', (message) => {
    // Told by `troubles`.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) errors.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => errors.push(`uncaught: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    // The page itself gives up what it no longer needs, when it moves on.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    troubles.push(`failed: ${request.method()} ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400)
      troubles.push(`${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  const page = await context.newPage();
  // The browser may be closing too.
  page.once('close', () => void context.close().catch(() => undefined));
  return { page, troubles };
}
