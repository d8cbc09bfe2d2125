/** Settings of the tests of packages. */
export const packageTests = {
  include: ['test/**/*.test.ts'],
  reporters: [['default', { summary: false }], 'json'] satisfies [[string, object], string],
  outputFile: { json: 'reports/test.json' },
  // Without isolation the files of a worker share the modules: loading them is most of a short file's time.
  isolate: false,
  // Test files wait more than they compute.
  maxWorkers: '100%',
  // A busy machine can take minutes for what takes seconds alone.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Tests load the packages of this repository from their sources, so that a change needs no build. */
export const ssr = { resolve: { conditions: ['@petstore/source', 'node'] } };
