import { defineConfig } from 'vitest/config';
import { packageTests } from '../../vitest.base.js';

export default defineConfig({
  test: {
    ...packageTests,
    globalSetup: ['@petstore/test-kit/test-service.js'],
    setupFiles: ['test/support/folder.setup.ts'],
  },
  // The client offers what the command needs in addition only as source.
  ssr: { resolve: { conditions: ['@petstore/source', 'node'] } },
});
