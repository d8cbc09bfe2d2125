import { defineConfig } from 'rolldown';
import { docsFiles } from './docs-files.js';

const programs = { main: 'src/main.ts', manage: 'src/manage.ts' };

/** Bundles the dependencies: loading 1,700 modules one by one took more than half of a start, and 30 MB. */
export default defineConfig({
  input: programs,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  // Packages of this repository are bundled from their sources: changes need no other build.
  resolve: { conditionNames: ['@petstore/source', 'node', 'default'] },
  external: [
    // Optional dependencies that are not installed.
    /^@nestjs\/(microservices|platform-express|websockets)(\/|$)/,
    /^class-transformer(\/|$)/,
    /^@fastify\/(multipart|view)$/,
    'pg-native',
  ],
  plugins: [docsFiles()],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', keepNames: true, sourcemap: true },
});
