import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// `prisma generate` needs no schema engine, but fetches one from Prisma's host unless it is told of a file
// that exists. This process's own executable is such a file everywhere, and it is never run.
const { status } = spawnSync('prisma', ['generate', '--no-hints'], {
  cwd: fileURLToPath(new URL('../../..', import.meta.url)),
  env: {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    ...process.env,
    CHECKPOINT_DISABLE: '1',
  },
  stdio: 'inherit',
});
process.exit(status ?? 1);
