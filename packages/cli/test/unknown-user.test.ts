import { spawn, type SpawnOptions } from 'node:child_process';
import { accessSync, readdirSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment, finish, folder, newCategory, program } from './support/command.js';
import { storedNames } from './support/store.js';

/** A user that /etc/passwd does not name, as containers have. Only root can become it. */
const unknown = process.platform === 'linux' && process.getuid?.() === 0 && { uid: 47_110, gid: 47_110 };
const withoutHome: [string, SpawnOptions][] = [
  ['an empty HOME', { env: { HOME: '' } }],
  ...(unknown ? ([['an unknown user without HOME', unknown]] as [string, SpawnOptions][]) : []),
];

describe.each(withoutHome)('without a home directory: %s', (_, { env, ...identity }) => {
  async function run(args: string[], input = '', variables = {}) {
    const { HOME: _home, ...others } = environment();
    const options = { ...identity, cwd: '/', env: { ...others, ...env, ...variables } };
    const child = spawn(process.execPath, [program, ...args], options);
    child.stdin?.end(input);
    return finish(child);
  }

  it('the command works, and its config file is off', async () => {
    expect(await run(['whoami'])).toMatchObject({ stderr: '', code: 0 });
    expect(await run(['list'], '', { PETSTORE_API_KEY: '' })).toMatchObject({ code: 2 });
    const login = await run(['login'], environment()['PETSTORE_API_KEY']);
    expect([login.code, login.stderr]).toEqual([
      2,
      expect.stringContaining(`${devNull} is not a file. Set PETSTORE_CONFIG to the path of a file`),
    ]);
    accessSync(devNull);
  });

  it('an import of standard input needs a folder for its record', async () => {
    const category = newCategory();
    const input = `name,categoryId\nRex,${category}\n`;
    const refused = await run(['import', '-'], input);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('There is no home directory for the record. Set XDG_STATE_HOME to a directory.'),
    ]);
    const stateFolder = join('/tmp', `petstore-unknown-${category}`);
    expect(await run(['import', '-'], input, { XDG_STATE_HOME: stateFolder })).toMatchObject({ code: 0 });
    rmSync(stateFolder, { recursive: true });
    expect(await storedNames(category)).toEqual(['Rex']);
    expect(readdirSync(folder)).not.toContain('.local');
  });
});
