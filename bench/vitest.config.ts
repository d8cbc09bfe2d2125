import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Without isolation the files of a worker share the modules that they load.
    isolate: false,
    // Their results are not evaluated, so they may run in parallel.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
