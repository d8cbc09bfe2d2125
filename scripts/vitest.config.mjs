import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    testTimeout: 30_000,
  },
});
