import { defineConfig } from 'vitest/config';

/** The API tests run on the embedded PostgreSQL, and once more on the server of TEST_DATABASE_URL where there is one. */
const onDatabase = { include: ['test/api/**/*.test.ts'], globalSetup: ['test/support/database-server.ts'] };
const servers = [
  { name: 'embedded', url: '' },
  ...(process.env['TEST_DATABASE_URL'] ? [{ name: 'server', url: process.env['TEST_DATABASE_URL'] }] : []),
];

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        test: { name: 'platform', include: ['test/platform/**/*.test.ts'], globalSetup: ['test/support/database-server.ts'], testTimeout: 60_000 },
      },
      ...servers.map(({ name, url }) => ({ test: { ...onDatabase, name, env: { TEST_SERVER_URL: url } } })),
      { test: { name: 'service', include: ['test/service/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
});
