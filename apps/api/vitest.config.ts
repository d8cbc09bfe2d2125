import { randomBytes } from 'node:crypto';
import { defineConfig } from 'vitest/config';

/** A second PostgreSQL server: the API tests that concern the database run on it too. */
const serverUrl = process.env['TEST_DATABASE_URL'];
/** A hook may create a database and start a service on it. Polls wait as long as a busy machine needs, not 1 s. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 50_000 } } };
// Without isolation the files of a worker share the modules of the service: loading them is most of a file's time.
const shared = { ...timeouts, isolate: false };
const api = { ...shared, include: ['test/api/**/*.test.ts'] };

/** These files test HTTP or the embedded server alone; a new file runs on both servers. */
const httpOnly = [
  'abandoned-files',
  'any-request',
  'authentication',
  'bundled-libraries',
  'cors',
  'docs',
  'drain',
  'dto.types',
  'headers',
  'list-pets-query',
  'methods',
  'openapi',
  'openapi-examples',
  'overload',
  'pet-cursor',
  'rate-limit',
  'raw-requests',
  'request-log',
  'wrong-keys',
].map((name) => `test/api/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    globalSetup: ['test/support/database-server.ts'],
    provide: { templateDatabase: `petstore_template_${randomBytes(6).toString('hex')}` },
    // Test files wait more than they compute.
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'platform', include: ['test/platform/**/*.test.ts'] } },
      { test: { ...api, name: 'embedded' } },
      ...(serverUrl ? [{ test: { ...api, name: 'server', exclude: httpOnly, provide: { serverUrl } } }] : []),
      {
        test: {
          ...shared,
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
