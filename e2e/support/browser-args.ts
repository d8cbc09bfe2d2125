/** Not a loopback name: the browser treats its pages as plain HTTP from another machine. It resolves to loopback. */
export const storeHost = 'petstore.test';

export const launchArgs = [
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
