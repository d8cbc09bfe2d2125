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

async function createJson(...args: string[]): Promise<Record<string, unknown> & { id: number }> {
  return JSON.parse((await run('create', '--json', ...args)).out) as Record<string, unknown> & { id: number };
}

describe('keys create', () => {
  it('creates a key with the scope read, and shows it once', async () => {
    const { out } = await run('create', '--name', 'till');
    expect(out).toMatch(
      /^Created key \d+ \(till\) with the scopes read\. It does not expire\.\n\n {2}psk_[\w-]{43}\n\nStore it in a safe place/,
    );
    expect(await service.keys.list()).toEqual([expect.objectContaining({ name: 'till', scopes: ['read'] })]);
  });

  it('prints with --json one object and nothing else', async () => {
    const created = await createJson('--name', 'till', '--scopes', 'write,read', '--expires-in', '90d');
    expect(Object.keys(created)).toEqual(['id', 'name', 'key', 'scopes', 'createdAt', 'expiresAt']);
    const key = expect.stringMatching(/^psk_[\w-]{43}$/) as string;
    expect(created).toMatchObject({ name: 'till', key, scopes: ['read', 'write'] });
    const [stored] = await service.sql(`SELECT (expires_at - created_at)::text AS validity FROM api_key`);
    expect(stored?.['validity']).toMatch(/^(89 days 23:59|90 days)/);
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
    const { out, err } = await run('create', '--name', 'desk', flag, value);
    expect(out).toBe('');
    expect(err).toContain(flag);
    expect(err).toContain(allowed);
    expect(await service.keys.list()).toEqual([]);
  });
});

it('keys list describes every key in one line, without the key itself', async () => {
  const { key } = await service.keys.create('front desk', ['read', 'write'], null);
  const { id } = await service.keys.create('guest', ['read'], null);
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
    const { id } = await service.keys.create('till', ['read'], null);
    expect((await run('revoke', String(id))).out).toBe(`The key ${id} (till) is revoked.`);
    const before = await service.keys.list();
    expect(before[0]?.revokedAt).toBeInstanceOf(Date);
    await run('revoke', String(id));
    expect(await service.keys.list()).toEqual(before);
  });

  it('warns that the next start with BOOTSTRAP_API_KEY restores its key', async () => {
    await service.keys.setBootstrapKey('a-key-that-is-given-by-hand');
    const [{ id } = { id: 0 }] = await service.keys.list();
    expect((await run('revoke', String(id))).out).toContain('Change or remove BOOTSTRAP_API_KEY too');
  });

  it('exits with an error when no key has the id', async () => {
    await expect(run('revoke', '999999')).rejects.toThrow(
      'No key has the id 999999. Run "npm run keys -- list" to see all keys.',
    );
  });

  it('does not print a key that is passed instead of an id', async () => {
    const { err } = await run('revoke', '--', `psk_${'x'.repeat(43)}`);
    expect(err).toContain('It must be a key id that list shows');
    expect(err).not.toContain('xxxx');
  });
});
