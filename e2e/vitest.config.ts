import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: ['support/servers.ts'],
    setupFiles: ['support/expect-no-errors.ts'],
    reporters: [['default', { summary: false }], 'json'],
    outputFile: { json: 'reports/test.json' },
    // Test files wait more than they compute.
    maxWorkers: '100%',
    // The files of a worker share its modules: loading them takes a second.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As Playwright waits. The default of 1 s is too short for a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
});
