import { defineConfig } from 'vitest/config';
import { packageTests } from '../vitest.base.js';

/** The short form of these drills runs with `npm test`. The API tests cover most of the others. */
const drills = ['killed-service', 'disk-full', 'upgrade'].map((name) => `src/${name}.drill.ts`);

export default defineConfig({ test: { ...packageTests, include: drills, env: { DRILL_QUICK: '1' } } });
