import { defineConfig } from 'vitest/config';

/** Timings, which only mean something on a machine that does nothing else: `npm run measure:admin`, not `npm test`. */
export default defineConfig({
  test: {
    include: ['measure/*.measure.ts'],
    globalSetup: ['support/servers.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
