import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromRoot } from '../workspace.mjs';

let root;

/** A repository of one package, with an npx and a pnpm that only take notes. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'petstore-install-'));
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'packages/one/node_modules'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  cpSync(fromRoot('scripts'), join(root, 'scripts'), {
    recursive: true,
    filter: (path) => !/node_modules|reports/.test(path),
  });
  write('package.json', '{ "packageManager": "pnpm@1.2.3" }');
  write('packages/one/package.json', '{}');
  write('pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
  write('pnpm-lock.yaml', '');
  write('.npmrc', '');
  program('npx', 'echo "npx $*" | cut -c1-9 >> notes; echo PATH=$PATH');
  program('pnpm', 'echo "pnpm $*" >> notes');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the install step', () => {
  it('fetches the pinned pnpm and installs what the lockfile says, once', () => {
    expect(install().status).toBe(0);
    expect(notes()).toEqual(['npx --yes', 'pnpm install --frozen-lockfile']);
    expect(install()).toMatchObject({ status: 0, stderr: '' });
    expect(notes()).toHaveLength(2);
  });

  it('installs again after a change of the lockfile, of a package.json, or of the packages that are there', () => {
    const changes = [
      () => appendFileSync(join(root, 'pnpm-lock.yaml'), '\n'),
      () => write('packages/one/package.json', '{ "name": "one" }'),
      () => rmSync(join(root, 'packages/one/node_modules'), { recursive: true }),
    ];
    install();
    for (const [index, change] of changes.entries()) {
      change();
      install();
      expect(notes()).toHaveLength(3 + index);
    }
  });

  it('installs again after an install that did not end well, and shows what that one wrote', () => {
    program('pnpm', 'echo the disk is full; exit 1');
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('the disk is full') });
    program('pnpm', 'echo "pnpm $*" >> notes');
    expect(install().status).toBe(0);
    expect(notes().at(-1)).toBe('pnpm install --frozen-lockfile');
  });

  it('says so when the registry does not answer', () => {
    program('npx', 'echo npm error code EAI_AGAIN >&2; exit 1');
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('The npm registry does not answer') });
  });
});

function install() {
  const code = "import('./scripts/install.mjs').then(({ install }) => install())";
  const env = { ...process.env, PATH: [join(root, 'bin'), process.env['PATH']].join(delimiter) };
  return spawnSync(process.execPath, ['-e', code], { cwd: root, env, encoding: 'utf8', timeout: 20_000 });
}

function notes() {
  return readFileSync(join(root, 'notes'), 'utf8').trim().split('\n');
}

function write(file, content) {
  writeFileSync(join(root, file), content);
}

function program(name, script) {
  write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
}
