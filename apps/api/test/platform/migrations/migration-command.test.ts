import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { execute } from '../../support/scratch-database.js';

const program = fileURLToPath(new URL('../../../dist/migration.js', import.meta.url));

interface Outcome {
  code?: number;
  stdout: string;
  stderr: string;
}

async function run(args: string[], serverUrl = inject('serverUrl')): Promise<Outcome> {
  const env = { ...process.env, TEST_DATABASE_URL: serverUrl };
  const running = promisify(execFile)(process.execPath, [program, ...args], { env, timeout: 30_000 });
  return running.catch((error: unknown) => error as Outcome);
}

describe('the migration command', () => {
  it('finds that the migrations match prisma/schema.prisma', async () => {
    const { code = 0, stdout } = await run(['check']);
    expect([code, stdout]).toEqual([0, 'The migrations match prisma/schema.prisma.\n']);
  });

  it('starts a temporary PostgreSQL when no server is given', async () => {
    const { code = 0, stdout } = await run(['check'], '');
    expect([code, stdout]).toEqual([0, 'The migrations match prisma/schema.prisma.\n']);
  });

  it('writes no migration when nothing changed', async () => {
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

  it('explains in one line what is wrong with the server', async () => {
    const { code, stderr } = await run(['check'], 'postgresql://alice:geheim@127.0.0.1:1/postgres');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot create or drop a scratch database .*ECONNREFUSED.*\n$/),
    ]);
    expect(stderr).not.toContain('geheim');
  });

  it.each(['nonsense', 'http://localhost', 'postgresql://[/'])('rejects the server URL %s', async (url) => {
    const { code, stderr } = await run(['check'], url);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^TEST_DATABASE_URL is not valid/)]);
  });

  it('leaves no scratch database on the server', async () => {
    await run(['check']);
    const scratch = `SELECT datname FROM pg_database WHERE datname LIKE 'petstore_scratch_%'`;
    expect(await execute(inject('serverUrl'), scratch)).toEqual([]);
  });
});
