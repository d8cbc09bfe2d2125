import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';

/** Not a loopback name: the browser treats its pages as plain HTTP from another machine. It resolves to loopback. */
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

export function launchBrowser(...args: string[]): Promise<Browser> {
  const options = [...launchArgs, `--js-flags=${inject('jsFlags')}`, ...args];
  return chromium.launch({ executablePath: inject('browserPath'), args: options });
}
