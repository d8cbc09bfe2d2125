import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Test files wait more than they compute.
    maxWorkers: '100%',
    globalSetup: ['test/support/service.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
