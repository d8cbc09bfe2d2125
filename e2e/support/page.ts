import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';

/**
 * A name that is no loopback name, so that the browser takes its pages for what they are in a store: plain http from
 * another machine. It leads to loopback all the same.
 */
export const storeHost = 'petstore.test';

const launchArgs = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--host-resolver-rules=MAP ${storeHost} 127.0.0.1`,
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: inject('browserPath'), args: launchArgs });
}

export interface WatchedPage {
  page: Page;
  /** Console errors, uncaught errors, failed requests and answers from 400 on; a test ends with what it expects here. */
  troubles: string[];
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  // The browser may be closing too.
  page.once('close', () => void context.close().catch(() => undefined));
  const troubles: string[] = [];
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // The page itself gives up what it no longer needs, when it moves on.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    troubles.push(`failed: ${request.method()} ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      troubles.push(`${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  return { page, troubles };
}
