import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { packageTests, ssr } from '../vitest.base.js';

export default defineConfig({
  test: {
    ...packageTests,
    include: ['**/*.test.ts'],
    globalSetup: ['support/servers.ts'],
    setupFiles: ['support/around-each-test.ts'],
    // A page of a test ends before optimized code pays off: compiling it takes a fifth of the time of the pages.
    provide: { jsFlags: '--no-opt --no-maglev' },
    // The tests wait for the browser and the service more than they compute.
    maxWorkers: availableParallelism() + 1,
    // As Playwright waits. The default of 1 s is too short for a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
  ssr,
});
