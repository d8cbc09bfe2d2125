import { defineConfig } from 'rolldown';

const programs = ['database-url', 'keys', 'main', 'migration', 'openapi', 'recount'];

/** What the benchmark and the drills take from the service. */
const parts = [
  ...['cluster', 'connection', 'data-folder', 'embedded-postgres', 'postmaster'].map((name) => `embedded/${name}`),
  ...['migrate', 'migration-files'].map((name) => `migrations/${name}`),
].map((name) => `platform/database/${name}`);

/**
 * A few files with all that they need of `node_modules`: to find, read and link 1,700 of them took more than half of a
 * start, and 30 MB.
 */
export default defineConfig({
  input: Object.fromEntries([...programs, ...parts].map((name) => [name, `src/${name}.ts`])),
  platform: 'node',
  tsconfig: 'tsconfig.json',
  external: [
    // Found by their files, which are no code.
    /^@embedded-postgres\//,
    /^@prisma\/schema-engine-wasm\//,
    // What Nest and its like would use if it were installed.
    /^@nestjs\/(microservices|platform-express|websockets)(\/|$)/,
    /^class-transformer(\/|$)/,
    /^@fastify\/(multipart|view)$/,
    'pg-native',
  ],
  output: { dir: 'dist', chunkFileNames: '[name].js', keepNames: true, sourcemap: true },
});
