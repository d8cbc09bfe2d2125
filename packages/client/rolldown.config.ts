import { defineConfig } from 'rolldown';

/** Contains the contracts, which are a private package. They import lossless-json. */
export default defineConfig({
  input: 'src/index.ts',
  platform: 'browser',
  external: ['ky', 'lossless-json'],
  resolve: { conditionNames: ['@petstore/source', 'default'] },
  output: { dir: 'dist', cleanDir: true, sourcemap: true },
});
