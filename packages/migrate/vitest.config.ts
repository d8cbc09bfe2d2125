import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/database-server.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Test files wait more than they compute.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
