import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';

/** Uncaught errors, and errors and warnings on the console, since the last test. */
export const errors: string[] = [];

/**
 * Failed requests, and responses with a status of 400 or higher, since the last test. A test that causes them on purpose
 * takes them out.
 */
export const failures: string[] = [];

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  // Listens to the context, to include the tabs that a test opens.
  context.on('console', (message) => {
    // `failures` contains these.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) errors.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => errors.push(`uncaught: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    // The page aborts requests that it no longer needs.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    failures.push(`failed: ${request.method()} ${request.url()}`);
  });
  context.on('response', (response) => {
    // On a busy machine, the service sheds load. The client tries again.
    if (response.status() >= 400 && response.status() !== 503)
      failures.push(`${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  const page = await context.newPage();
  // The browser may be closing.
  page.once('close', () => void context.close().catch(() => undefined));
  return { page };
}

/** Holds the requests to an address until the returned function is called. By default, all of them. */
export async function holdRequests(
  page: Page,
  url: string | RegExp,
  isHeld: (route: Route) => boolean = () => true,
): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(url, async (route) => {
    if (isHeld(route)) await held;
    // The page may have been left.
    await route.fallback().catch(() => undefined);
  });
  return letGo;
}

/** The service answers every request of the API as if the key was revoked. */
export function rejectKey(page: Page | BrowserContext, isRejected: (route: Route) => boolean = () => true) {
  const json = { code: 'invalid_api_key', message: 'This API key is not valid.', status: 401 };
  return page.route(api, (route) => (isRejected(route) ? route.fulfill({ status: 401, json }) : route.fallback()));
}

/** Everything that needs a key: a service that rejects it never accepts it elsewhere. */
export const api = /\/(v1\/.*|key\.json|categories\.json)$/;

/** Signs out by the menu of the header. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Sign out' }).click();
}

/** Opens the menu "Print and export" of the list and chooses one of its items. */
export async function chooseInListMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Print and export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Lets an open page ask for changes now, as when its window gets the focus. */
export async function refresh(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('focus')));
}
