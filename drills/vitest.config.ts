import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // The drills measure time.
    fileParallelism: false,
  },
});
