import { defineConfig } from 'vitest/config';

/** The short form of these drills runs with `npm test`. The API tests cover most of the others. */
const drills = ['killed-service', 'disk-full', 'several-services', 'upgrade'].map((name) => `src/${name}.drill.ts`);

export default defineConfig({
  test: {
    include: drills,
    env: { DRILL_QUICK: '1' },
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Without isolation the files of a worker share the modules that they load.
    isolate: false,
    // The drills measure time.
    fileParallelism: false,
    hookTimeout: 60_000,
  },
});
