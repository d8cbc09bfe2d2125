import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keysCommand } from '../../src/features/api-keys/api-keys.command.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
let printed: string[];
beforeEach(async () => {
  await service.sql('DELETE FROM api_key');
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

/** Runs the command. Returns its output, and the error if commander stops it. */
async function run(...args: string[]): Promise<{ out: string; err: string }> {
  const said = { out: '', err: '' };
  const command = keysCommand((use) => use(service.keys));
  for (const part of [command, ...command.commands]) {
    part
      .exitOverride()
      .configureOutput({ writeOut: (text) => (said.out += text), writeErr: (text) => (said.err += text) });
  }
  await command.parseAsync(args, { from: 'user' }).catch((error: { code?: string }) => {
    if (!error.code?.startsWith('commander.')) throw error;
  });
  return { out: said.out + printed.splice(0).join('\n'), err: said.err };
}

async function runJson(...args: string[]): Promise<unknown> {
  return JSON.parse((await run(...args, '--json')).out);
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const made = { id: expect.any(Number) as number, createdAt: time, expiresAt: null };
const listed = { ...made, name: 'till', scopes: ['read'], lastUsedAt: null, revokedAt: null };

describe('keys create', () => {
  it('creates a key with the scope read, and shows it once', async () => {
    const { out } = await run('create', '--name', 'till');
    expect(out).toMatch(
      /^Created key \d+ \(till\) with the scopes read\. It does not expire\.\n\n {2}psk_[\w-]{43}\n\nStore it in a safe place/,
    );
    expect(await runJson('list')).toEqual([listed]);
  });

  it('prints with --json one object and nothing else', async () => {
    const key = expect.stringMatching(/^psk_[\w-]{43}$/) as string;
    const json = await runJson('create', '--name', 'till', '--scopes', 'write,read');
    expect(json).toEqual({ ...made, name: 'till', key, scopes: ['read', 'write'] });
    expect(Object.keys(json as object)).toEqual(['id', 'name', 'key', 'scopes', 'createdAt', 'expiresAt']);
  });

  it.each([
    ['30m', 30 * 60_000],
    ['90d', 90 * 86_400_000],
  ])('accepts --expires-in %s', async (value, ms) => {
    const created = await runJson('create', '--name', 'guest', '--expires-in', value);
    const { createdAt, expiresAt } = created as { createdAt: string; expiresAt: string };
    expect(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - ms)).toBeLessThan(60_000);
  });

  it.each([
    ['--scopes', 'admin', 'Allowed scopes, comma-separated: read, write'],
    ['--expires-in', '90', 'such as 30m, 12h or 90d'],
    ['--expires-in', '0d', 'such as 30m, 12h or 90d'],
    ['--name', '  ', 'It must have 1 to 100 characters'],
    ['--name', 'two\nlines', 'It must have 1 to 100 characters'],
    ['--name', 'x'.repeat(101), 'It must have 1 to 100 characters'],
    ['--name', 'bootstrap', 'is reserved for BOOTSTRAP_API_KEY'],
    ['--scope', 'read', 'Did you mean --scopes?'],
  ])('rejects %s %j, names the allowed values, and creates no key', async (flag, value, allowed) => {
    const { out, err } = await run('create', '--name', 'desk', flag, value);
    expect(out).toBe('');
    expect(err).toContain(flag);
    expect(err).toContain(allowed);
    expect(await runJson('list')).toEqual([]);
  });
});

it('keys list describes every key in one line, without the key itself', async () => {
  const { key } = (await runJson('create', '--name', 'front desk', '--scopes', 'read,write')) as { key: string };
  const { id } = (await runJson('create', '--name', 'guest', '--expires-in', '1d')) as { id: number };
  await run('revoke', String(id));
  const { out } = await run('list');
  const [head, first, second, ...others] = out.split('\n');
  expect(head).toMatch(/^ID +NAME +SCOPES +STATE +CREATED +LAST USED$/);
  expect(first).toMatch(/^\d+ +front desk +read,write +valid +.* UTC +never$/);
  expect(second).toMatch(/^\d+ +guest +read +revoked .* UTC +.* UTC +never$/);
  expect(others).toEqual([]);
  expect(out).not.toContain(key);
});

describe('keys revoke', () => {
  it('revokes a key, and does not change the time when run again', async () => {
    const { id } = (await runJson('create', '--name', 'till')) as { id: number };
    expect((await run('revoke', String(id))).out).toBe(`The key ${id} (till) is revoked.`);
    const [before] = (await runJson('list')) as { revokedAt: string }[];
    expect(before?.revokedAt).toEqual(time);
    expect(await runJson('revoke', String(id))).toEqual({ ...listed, revokedAt: before?.revokedAt });
  });

  it('warns that the next start with BOOTSTRAP_API_KEY restores its key', async () => {
    await service.keys.setBootstrapKey('a-key-that-is-given-by-hand');
    const [{ id } = { id: 0 }] = (await runJson('list')) as { id: number }[];
    expect((await run('revoke', String(id))).out).toContain('Change or remove BOOTSTRAP_API_KEY too');
  });

  it('exits with an error when no key has the id', async () => {
    await expect(run('revoke', '999999')).rejects.toThrow(
      'No key has the id 999999. Run "npm run keys -- list" to see all keys.',
    );
  });

  const notIds = ['0', '1.5', '9999999999', `psk_${'x'.repeat(43)}`];
  it.each(notIds)('rejects the id %j, and does not print a key that is passed instead', async (id) => {
    const { err } = await run('revoke', '--', id);
    expect(err).toContain('It must be a key id that list shows');
    expect(err).not.toContain('xxxx');
  });
});

it.each([
  [['revok', '1'], 'Did you mean revoke?', ['create', 'list', 'revoke']],
  [[], 'Usage: keys', ['create', 'list', 'revoke', '--expires-in 90d']],
])('a mistake such as %j is explained, followed by the valid names', async (args, error, right) => {
  const { out, err } = await run(...args);
  expect(out).toBe('');
  for (const part of [error, ...right]) expect(err).toContain(part);
});
