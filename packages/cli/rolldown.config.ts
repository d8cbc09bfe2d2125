import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';

interface LicenseOptions {
  thirdParty: { output: string; allow: { test: string; failOnUnlicensed: boolean; failOnViolation: boolean } };
}

// Not imported: its types describe another module format than its code has.
const license = createRequire(import.meta.url)('rollup-plugin-license') as (options: LicenseOptions) => Plugin;

/** No dependencies: `npm install` of the packed tarball downloads nothing else. */
export default defineConfig({
  input: 'src/petstore.ts',
  platform: 'node',
  tsconfig: 'tsconfig.json',
  // Packages of this repository are bundled from their sources: changes need no other build.
  resolve: { conditionNames: ['@petstore/source', 'node', 'import', 'default'] },
  plugins: [
    license({
      thirdParty: {
        // The licenses of the bundled packages require their texts.
        output: fileURLToPath(new URL('dist/licenses.txt', import.meta.url)),
        // The license check of the repository does not see the bundled packages.
        allow: {
          test: '(MIT OR ISC OR Apache-2.0 OR BSD-3-Clause OR 0BSD)',
          failOnUnlicensed: true,
          failOnViolation: true,
        },
      },
    }),
  ],
  output: { dir: 'dist', cleanDir: true, banner: '#!/usr/bin/env node', chunkFileNames: '[name].js', keepNames: true },
});
