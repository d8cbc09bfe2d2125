import { randomBytes } from 'node:crypto';
import { defineConfig } from 'vitest/config';

/** The API tests run on the embedded PostgreSQL, and once more on the server of TEST_DATABASE_URL where there is one. */
const serverUrl = process.env['TEST_DATABASE_URL'];
/** A hook may make a database and start a service on it. */
const hookTimeout = 60_000;
// Without isolation the files of a worker share the modules of the service: loading them is most of a file's time.
const api = { include: ['test/api/**/*.test.ts'], testTimeout: 60_000, hookTimeout, isolate: false };

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Once for all projects: it starts the embedded server, and provides its URL.
    globalSetup: ['test/support/database-server.ts'],
    provide: { templateDatabase: `petstore_template_${randomBytes(6).toString('hex')}` },
    maxWorkers: '100%',
    projects: [
      { test: { name: 'platform', include: ['test/platform/**/*.test.ts'], testTimeout: 60_000, hookTimeout } },
      { test: { ...api, name: 'embedded' } },
      ...(serverUrl ? [{ test: { ...api, name: 'server', provide: { serverUrl } } }] : []),
      { test: { name: 'service', include: ['test/service/**/*.test.ts'], testTimeout: 120_000, hookTimeout } },
    ],
  },
});
