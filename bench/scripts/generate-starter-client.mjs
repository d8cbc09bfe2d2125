import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Any existing file keeps Prisma from downloading an engine, as in apps/api/scripts/generate-prisma-client.mjs.
const { status } = spawnSync('prisma', ['generate', '--no-hints'], {
  cwd: fileURLToPath(new URL('../src/peers/starter', import.meta.url)),
  env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, ...process.env, CHECKPOINT_DISABLE: '1' },
  stdio: 'inherit',
});
process.exit(status ?? 1);
