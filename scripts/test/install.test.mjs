import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fromRoot } from '../workspace.mjs';

let folder;

/** A clone with one package, where pnpm and the generator of Prisma clients are already installed. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filter = (path) => !/node_modules|test|reports/.test(path.slice(fromRoot('scripts').length));
  cpSync(fromRoot('scripts'), join(folder, 'scripts'), { recursive: true, filter });
  write(
    'scripts/bootstrap/node_modules/.package-lock.json',
    readFileSync(fromRoot('scripts/bootstrap/package-lock.json')),
  );
  write('scripts/bootstrap/node_modules/.bin/pnpm', pnpm, { mode: 0o755 });
  for (const file of ['package.json', 'packages/contracts/package.json']) write(file, '{"name":"a"}');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) write(file, 'version: 1');
  for (const name of ['apps/api/src/platform/database', 'bench/src/peers/starter'])
    write(`${name}/generated/client.ts`, '');
});

const pnpm = `#!/bin/sh
echo "$@" >>runs
[ ! -e fails ] || exit 1
# As the real one, it does nothing if its record says that nothing has changed.
cmp -s pnpm-lock.yaml node_modules/.pnpm-workspace-state-v1.json && exit
# As the real one, it refuses a part of the packages after a change of the settings.
[ ! -e node_modules/.modules.yaml ] || cmp -s pnpm-workspace.yaml node_modules/.modules.yaml || exit 1
mkdir -p node_modules/.bin node_modules/.pnpm packages/contracts/node_modules
echo >node_modules/.bin/turbo
cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml
cp pnpm-lock.yaml node_modules/.pnpm-workspace-state-v1.json
cp pnpm-workspace.yaml node_modules/.modules.yaml
`;

function write(file, content, options) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content, options);
}

/** Runs the installation, and returns how often it ran pnpm. `before` is code that runs first. */
function install(scope = 'development', before = '') {
  const code = `${before}; const { install } = await import('${join(folder, 'scripts/install.mjs')}');
    await install('${scope}').catch((error) => { console.error(error.message); process.exitCode = 1; });`;
  write('runs', '');
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return { status, stderr, runs: readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1 };
}

const otherUser = 'process.getuid = () => 54321';

describe('an installation', () => {
  it('runs pnpm once, and then only after a change', () => {
    expect([install().runs, install().runs, install('serving').runs]).toEqual([1, 0, 0]);
    const changes = {
      'the lockfile': () => appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n'),
      'the settings': () => appendFileSync(join(folder, 'pnpm-workspace.yaml'), '\n'),
      'a package.json': () => write('packages/contracts/package.json', '{"name":"b"}'),
      'a new package': () => write('packages/table/package.json', '{}'),
      'what pnpm installed': () => write('node_modules/.pnpm/lock.yaml', ''),
      'the links of a package': () => rmSync(join(folder, 'packages/contracts/node_modules'), { recursive: true }),
      'the link of turbo, which `npm install` removes': () => rmSync(join(folder, 'node_modules/.bin/turbo')),
      'all packages': () => rmSync(join(folder, 'node_modules'), { recursive: true }),
    };
    for (const [name, change] of Object.entries(changes)) {
      change();
      expect([name, install().runs, install().runs]).toEqual([name, 1, 0]);
      expect([name, existsSync(join(folder, 'node_modules/.bin/turbo'))]).toEqual([name, true]);
    }
  });

  it('of what the service needs is not enough for development', () => {
    expect([install('serving').runs, install('serving').runs, install().runs]).toEqual([1, 0, 1]);
  });

  it('that fails is repeated', () => {
    install();
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
    write('fails', '');
    expect(install()).toMatchObject({ status: 1, runs: 1 });
    write('pnpm-lock.yaml', 'version: 1');
    rmSync(join(folder, 'fails'));
    expect(install()).toMatchObject({ status: 0, runs: 1 });
  });

  it('that another command has changed is repeated', () => {
    install();
    expect(
      install('development', `(await import('${join(folder, 'scripts/install.mjs')}')).forgetInstallation()`).runs,
    ).toBe(1);
  });

  it.runIf(process.getuid() === 0)('of root can be given to the owner of the folder', () => {
    install();
    rmSync(join(folder, 'packages/contracts/node_modules'), { recursive: true });
    chownSync(folder, 54321, 54321);
    expect(install('development', otherUser)).toMatchObject({
      status: 1,
      runs: 0,
      stderr: expect.stringContaining(`\`sudo rm -rf '${folder}/node_modules' && sudo chown -R 54321 '${folder}/'\``),
    });
  });

  it('can be used by another user, who cannot change it', () => {
    install();
    expect(install('development', otherUser)).toMatchObject({ status: 0, runs: 0 });
    rmSync(join(folder, 'packages/contracts/node_modules'), { recursive: true });
    expect(install('development', otherUser)).toMatchObject({
      status: 1,
      runs: 0,
      stderr: expect.stringContaining('Ask the owner of this folder to run `npm run build`'),
    });
    expect(existsSync(join(folder, 'packages/contracts/node_modules'))).toBe(false);
  });
});
