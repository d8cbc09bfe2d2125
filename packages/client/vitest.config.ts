import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One after the other: they share a service, and some of them measure time.
    fileParallelism: false,
    globalSetup: ['test/support/service.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
