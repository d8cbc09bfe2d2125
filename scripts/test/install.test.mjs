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
  utimesSync,
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
  write('apps/api/src/platform/database/generated/client.ts', '');
});

const pnpm = `#!/bin/sh
echo "$@" >>runs
[ ! -e fails ] || exit 1
case "$*" in *--filter*) partial=true ;; *) partial=false ;; esac
mkdir -p node_modules/.bin
(echo "$HOME"; cat pnpm-workspace.yaml) >node_modules/new
# As the real one, it refuses a part of the packages after a change of the settings, or with the store of another HOME.
[ $partial = false ] || [ ! -e node_modules/.modules.yaml ] || cmp -s node_modules/new node_modules/.modules.yaml || exit 1
mv node_modules/new node_modules/.modules.yaml
echo >node_modules/.bin/turbo
[ $partial = true ] || mkdir -p scripts/node_modules
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
  it('runs pnpm once', () => {
    expect(install()).toMatchObject({ status: 0, runs: 1 });
    expect(install()).toMatchObject({ status: 0, runs: 0 });
    expect(install('serving')).toMatchObject({ status: 0, runs: 0 });
  });

  it.each([
    ['a change of the lockfile', () => appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n')],
    ['a change of the settings', () => appendFileSync(join(folder, 'pnpm-workspace.yaml'), '\n')],
    ['an .npmrc', () => write('.npmrc', '')],
    ['a change of a package.json', () => write('packages/contracts/package.json', '{"name":"b"}')],
    ['a new package', () => write('packages/table/package.json', '{}')],
    ['`npm install`, which removes the link of turbo', () => rmSync(join(folder, 'node_modules/.bin/turbo'))],
    ['the removal of all packages', () => rmSync(join(folder, 'node_modules'), { recursive: true })],
  ])('is repeated once after %s', (_, change) => {
    install('serving');
    change();
    expect(install('serving')).toMatchObject({ status: 0, runs: 1 });
    expect(install('serving')).toMatchObject({ status: 0, runs: 0 });
    expect(existsSync(join(folder, 'node_modules/.bin/turbo'))).toBe(true);
  });

  it('works with another HOME', () => {
    const otherHome = `process.env.HOME = '/home/other'`;
    install('serving');
    expect(install('serving', otherHome)).toMatchObject({ status: 0, runs: 0 });
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
    expect(install('serving', otherHome)).toMatchObject({ status: 0, runs: 1 });
  });

  it('of what the service needs is not enough for development', () => {
    expect(install('serving')).toMatchObject({ status: 0, runs: 1 });
    expect(install()).toMatchObject({ status: 0, runs: 1 });
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
    expect(install('serving')).toMatchObject({ status: 0, runs: 1 });
    expect(install()).toMatchObject({ status: 0, runs: 0 });
  });

  it('that fails is repeated', () => {
    install();
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
    write('fails', '');
    expect(install()).toMatchObject({ status: 1, runs: 1 });
    utimesSync(join(folder, 'pnpm-lock.yaml'), 0, 0);
    rmSync(join(folder, 'fails'));
    expect(install()).toMatchObject({ status: 0, runs: 1 });
  });

  it.runIf(process.getuid() === 0)('of root can be given to the owner of the folder', () => {
    install();
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
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
    appendFileSync(join(folder, 'pnpm-lock.yaml'), '\n');
    expect(install('development', otherUser)).toMatchObject({
      status: 1,
      runs: 0,
      stderr: expect.stringContaining('Ask the owner of this folder to run `npm run build`'),
    });
  });
});
