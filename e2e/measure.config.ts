import { defineConfig } from 'vitest/config';

/** Timings need an idle machine, so they run with `npm run measure:admin` and not with `npm test`. */
export default defineConfig({
  test: {
    include: ['measure/*.measure.ts'],
    globalSetup: ['support/servers.ts'],
    provide: { jsFlags: '' },
    fileParallelism: false,
    // A measurement takes minutes.
    reporters: ['verbose'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
