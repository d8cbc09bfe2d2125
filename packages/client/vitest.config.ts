import { defineConfig } from 'vitest/config';
import { packageTests, ssr } from '../../vitest.base.js';

export default defineConfig({
  test: {
    ...packageTests,
    globalSetup: ['@petstore/test-kit/test-service.js'],
    setupFiles: ['test/support/links.setup.ts'],
  },
  ssr,
});
