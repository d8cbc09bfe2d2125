/** Settings of the tests of packages. */
export const packageTests = {
  include: ['test/**/*.test.ts'],
  reporters: [['default', { summary: false }], 'json'] satisfies [[string, object], string],
  outputFile: { json: 'reports/test.json' },
  // Test files wait more than they compute.
  maxWorkers: '100%',
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
