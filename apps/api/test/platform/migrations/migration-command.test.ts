import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../../dist/manage.js', import.meta.url));

interface Outcome {
  code?: number;
  stdout: string;
  stderr: string;
}

async function run(args: string[]): Promise<Outcome> {
  const running = promisify(execFile)(process.execPath, [program, 'migration', ...args]);
  return running.catch((error: unknown) => error as Outcome);
}

describe('the migration command', () => {
  // `npm run check` runs the command `check` too.
  it('finds that the migrations match prisma/schema.prisma, and writes no migration', async () => {
    const { stdout } = await run(['new', 'nothing']);
    expect(stdout).toBe('Nothing to write: the migrations match prisma/schema.prisma.\n');
  });

  it('rejects an invalid name and a missing name', async () => {
    expect(await run(['new', 'Add weight'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('such as add_pet_weight') as string,
    });
    expect(await run(['new'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("missing required argument 'name'") as string,
    });
  });

  it('removes its temporary database when it is interrupted', async () => {
    const TMPDIR = await mkdtemp(join(tmpdir(), 'petstore-migration-test-'));
    const child = spawn(process.execPath, [program, 'migration', 'check'], { env: { ...process.env, TMPDIR } });
    await expect.poll(() => readdir(TMPDIR)).toHaveLength(1);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await readdir(TMPDIR)).toEqual([]);
    await rmdir(TMPDIR);
  });
});
