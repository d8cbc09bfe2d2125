import { defineConfig } from 'vitest/config';

/** Every drill. They need an idle machine, so they run with `npm run drill` and not with `npm test`. */
export default defineConfig({
  test: {
    include: ['src/*.drill.ts'],
    // Prints what a drill annotates.
    reporters: ['verbose'],
    fileParallelism: false,
    hookTimeout: 60_000,
  },
});
