import { defineConfig } from 'vitest/config';
import { packageTests } from '../vitest.base.js';

export default defineConfig({
  test: {
    ...packageTests,
    include: ['**/*.test.ts'],
    globalSetup: ['support/servers.ts'],
    setupFiles: ['support/expect-no-errors.ts'],
    // As Playwright waits. The default of 1 s is too short for a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
});
