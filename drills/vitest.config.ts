import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Without isolation the files of a worker share the modules that they load.
    isolate: false,
    // The drills measure time.
    fileParallelism: false,
  },
});
