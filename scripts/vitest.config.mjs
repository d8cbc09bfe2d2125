import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Without isolation the files of a worker share the modules that they load.
    isolate: false,
    testTimeout: 30_000,
  },
});
