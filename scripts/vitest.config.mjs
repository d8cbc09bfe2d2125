import { defineConfig } from 'vitest/config';
import { packageTests } from '../vitest.base.ts';

export default defineConfig({ test: { ...packageTests, include: ['test/**/*.test.mjs'] } });
