import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Repository } from './support/repository.mjs';

let repository;
beforeEach(() => {
  repository = new Repository();
});
afterEach(() => repository.remove());

describe('the install step', () => {
  it('fetches the pinned pnpm and installs what the lockfile says, once', () => {
    expect(install().status).toBe(0);
    expect(notes()).toEqual(['npx --yes', 'pnpm install --frozen-lockfile']);
    expect(install()).toMatchObject({ status: 0, stderr: '' });
    expect(notes()).toHaveLength(2);
  });

  it('installs again after a change of the lockfile, of a package.json, or of the packages that are there', () => {
    const changes = [
      () => appendFileSync(repository.path('pnpm-lock.yaml'), '\n'),
      () => repository.write('packages/one/package.json', '{ "name": "one" }'),
      () => rmSync(repository.path('packages/one/node_modules'), { recursive: true }),
    ];
    install();
    for (const [index, change] of changes.entries()) {
      change();
      install();
      expect(notes()).toHaveLength(3 + index);
    }
  });

  it('installs again after an install that did not end well, and shows what that one wrote', () => {
    repository.program('bin/pnpm', 'echo the disk is full; exit 1');
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('the disk is full') });
    repository.program('bin/pnpm', 'echo "pnpm $*" >> notes');
    expect(install().status).toBe(0);
    expect(notes().at(-1)).toBe('pnpm install --frozen-lockfile');
  });

  it('says so when the registry does not answer', () => {
    repository.program('bin/npx', 'echo npm error code EAI_AGAIN >&2; exit 1');
    expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('The npm registry does not answer') });
  });
});

function install() {
  const code = "import('./scripts/install.mjs').then(({ install }) => install())";
  const { root: cwd, env } = repository;
  return spawnSync(process.execPath, ['-e', code], { cwd, env, encoding: 'utf8', timeout: 20_000 });
}

function notes() {
  return readFileSync(repository.path('notes'), 'utf8').trim().split('\n');
}
