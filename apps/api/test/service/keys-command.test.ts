import { runProgram } from '@petstore/test-kit/program.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { execute, hold, useDatabase } from '../support/scratch-database.js';

const database = useDatabase();
beforeEach(() => execute(database.url, 'DELETE FROM api_key'));

const run = (...args: string[]) => runProgram('manage.js', ['keys', ...args], { DATABASE_URL: database.url });

async function createJson(...args: string[]): Promise<Record<string, unknown>> {
  return JSON.parse((await run('create', '--json', ...args)).stdout) as Record<string, unknown>;
}

const stored = () => execute(database.url, 'SELECT id::int, name, scopes::text, revoked_at FROM api_key');

describe('keys create', () => {
  it('creates a key with the scope read, and shows it once', async () => {
    const { stdout } = await run('create', '--name', 'till');
    expect(stdout).toMatch(
      /^Created key \d+ \(till\) with the scopes read\. It does not expire\.\n\n {2}psk_[\w-]{43}\n\nStore it in a safe place/,
    );
    expect(await stored()).toMatchObject([{ name: 'till', scopes: '{read}' }]);
  });

  it('prints with --json one object and nothing else', async () => {
    const created = await createJson('--name', 'till', '--scopes', 'write,read', '--expires-in', '90d');
    expect(Object.keys(created)).toEqual(['id', 'name', 'key', 'scopes', 'createdAt', 'expiresAt']);
    const key = expect.stringMatching(/^psk_[\w-]{43}$/) as string;
    expect(created).toMatchObject({ name: 'till', key, scopes: ['read', 'write'] });
    const [row] = await execute(database.url, `SELECT (expires_at - created_at)::text AS validity FROM api_key`);
    expect(row?.['validity']).toMatch(/^(89 days 23:59|90 days)/);
  });

  it.each([
    ['--scopes', 'admin', 'Allowed scopes, comma-separated: read, write'],
    ['--expires-in', '90', 'such as 30m, 12h or 90d'],
    ['--expires-in', '0d', 'such as 30m, 12h or 90d'],
    ['--name', '  ', 'It must have 1 to 100 characters'],
    ['--name', 'two\nlines', 'It must have 1 to 100 characters'],
    ['--name', 'bootstrap', 'is reserved for BOOTSTRAP_API_KEY'],
    ['--scope', 'read', 'Did you mean --scopes?'],
  ])('rejects %s %j, names the allowed values, and creates no key', async (flag, value, allowed) => {
    const { code, stdout, stderr } = await run('create', '--name', 'desk', flag, value);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(flag);
    expect(stderr).toContain(allowed);
    expect(await stored()).toEqual([]);
  });
});

it('keys list describes every key in one line, without the key itself', async () => {
  const { key } = await createJson('--name', 'front desk', '--scopes', 'read,write');
  const { id } = await createJson('--name', 'guest');
  await run('revoke', String(id));
  const { stdout } = await run('list');
  const [head, first, second, ...others] = stdout.split('\n');
  expect(head).toMatch(/^ID +NAME +SCOPES +STATE +CREATED +LAST USED$/);
  expect(first).toMatch(/^\d+ +front desk +read,write +valid +.* UTC +never$/);
  expect(second).toMatch(/^\d+ +guest +read +revoked .* UTC +.* UTC +never$/);
  expect(others).toEqual(['']);
  expect(stdout).not.toContain(key);
});

describe('keys revoke', () => {
  it('revokes a key, and does not change the time when run again', async () => {
    const { id } = await createJson('--name', 'till');
    expect((await run('revoke', String(id))).stdout).toBe(`The key ${String(id)} (till) is revoked.\n`);
    const before = await stored();
    expect(before[0]?.['revoked_at']).toBeInstanceOf(Date);
    await run('revoke', String(id));
    expect(await stored()).toEqual(before);
  });

  it('warns that the next start with BOOTSTRAP_API_KEY restores its key', async () => {
    await execute(database.url, `INSERT INTO api_key (name, hash) VALUES ('bootstrap', '\\x01')`);
    const [bootstrap] = await stored();
    const { stdout } = await run('revoke', String(bootstrap?.['id']));
    expect(stdout).toContain('Change or remove BOOTSTRAP_API_KEY too');
  });

  it('exits with an error when no key has the id', async () => {
    const stderr = 'No key has the id 999999. Run "npm run keys -- list" to see all keys.\n';
    expect(await run('revoke', '999999')).toMatchObject({ code: 1, stderr });
  });

  it('does not print a key that is passed instead of an id', async () => {
    const { stderr } = await run('revoke', '--', `psk_${'x'.repeat(43)}`);
    expect(stderr).toContain('It must be a key id that list shows');
    expect(stderr).not.toContain('xxxx');
  });
});

it('a command on keys explains that their table is locked', async () => {
  await hold(database.url, 'LOCK TABLE api_key');
  const { code, stderr } = await run('list');
  expect(stderr).toMatch(/^The database is not available: .* lock timeout\. Check its server and its locks.*\n$/);
  expect(code).toBe(1);
});
