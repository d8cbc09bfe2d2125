import { defineConfig } from 'vitest/config';
import { packageTests, ssr } from '../../vitest.base.js';

export default defineConfig({ test: packageTests, ssr });
