import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ssr } from '../../vitest.base.js';

/** A second PostgreSQL server: the API tests that concern the database run on it too. */
const serverUrl = process.env['TEST_DATABASE_URL'];

/** These files test HTTP or the embedded server alone; a new file runs on both servers. */
const httpOnly = [
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
  'overload',
  'rate-limit',
  'raw-requests',
  'request-log',
].map((name) => `test/api/${name}.test.ts`);

const shared = {
  // Without isolation the files of a worker share the modules of the service: loading them is most of a file's time.
  isolate: false,
  setupFiles: ['test/support/real-paths.setup.ts'],
  // A test or hook may start the service several times. Polls wait as long as a busy machine needs, not 1 s.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 50_000 } },
};
/** One project, so that a worker runs files of all folders with the same modules. */
const embedded = { ...shared, name: 'embedded', include: ['test/**/*.test.ts'] };
const server = { ...shared, name: 'server', include: ['test/api/**/*.test.ts'], exclude: httpOnly };

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    globalSetup: ['test/support/database-server.ts'],
    provide: { templateDatabase: `petstore_template_${randomBytes(6).toString('hex')}` },
    // Test files wait more than they compute: for starts and stops of the service, and for its intervals.
    maxWorkers: availableParallelism() + 1,
    projects: [{ test: embedded, ssr }, ...(serverUrl ? [{ test: { ...server, provide: { serverUrl } }, ssr }] : [])],
  },
});
