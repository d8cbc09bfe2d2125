import { appendFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Repository } from './support/repository.mjs';

const fullInstall = 'pnpm install --frozen-lockfile';

let repository;
beforeEach(() => {
  repository = new Repository();
});
afterEach(() => repository.remove());

describe('the install step', () => {
  it('installs pnpm from its lockfile, then the packages, once', () => {
    expect(repository.install().status).toBe(0);
    expect(calls()).toEqual(['npm ci', fullInstall]);
    expect(repository.install()).toMatchObject({ status: 0, stderr: '' });
    expect(calls()).toHaveLength(2);
  });

  it('installs only what the service needs for a command of the service, and the rest for other commands', () => {
    repository.install('serving');
    expect(calls().at(-1)).toMatch(/^pnpm --filter=@petstore\/api\.\.\. .*install --frozen-lockfile$/);
    repository.install('development');
    expect(calls().at(-1)).toBe(fullInstall);
    repository.install('serving');
    expect(calls()).toHaveLength(3);
  });

  it('installs again after a change of the lockfile or of a package.json, and keeps node_modules', () => {
    const changes = [
      () => appendFileSync(repository.path('pnpm-lock.yaml'), '\n'),
      () => repository.write('packages/one/package.json', '{ "name": "one" }'),
    ];
    repository.install();
    repository.write('node_modules/.kept', '');
    for (const [index, change] of changes.entries()) {
      change();
      repository.install();
      expect(calls()).toHaveLength(3 + index);
      expect(existsSync(repository.path('node_modules/.kept'))).toBe(true);
    }
  });

  it('removes node_modules and installs again when a part of it is missing', () => {
    const parts = [
      'packages/one/node_modules',
      'packages/one/node_modules/dependency',
      'node_modules/.pnpm/dependency',
      'node_modules/.modules.yaml',
      'node_modules/.petstore-install.json',
    ];
    repository.install();
    for (const [index, path] of parts.entries()) {
      repository.write('node_modules/.damaged', '');
      rmSync(repository.path(path), { recursive: true });
      expect(repository.install().status, path).toBe(0);
      expect(existsSync(repository.path('node_modules/.damaged')), path).toBe(false);
      expect(calls().slice(2), path).toEqual(Array.from({ length: index + 1 }, () => fullInstall));
    }
  });

  it('installs again in a copied or moved checkout', () => {
    repository.install();
    const { root } = repository;
    cpSync(root, `${root}-copy`, { recursive: true });
    rmSync(root, { recursive: true });
    renameSync(`${root}-copy`, `${root}-moved`);
    repository.root = `${root}-moved`;
    repository.env.PATH = repository.env.PATH.replace(root, repository.root);
    expect(repository.install().status).toBe(0);
    expect(calls().at(-1)).toBe(fullInstall);
    expect(calls()).toHaveLength(3);
  });

  it('installs pnpm again after an interrupted npm ci, and after a change of its version', () => {
    repository.install();
    rmSync(repository.path('scripts/pnpm/node_modules/.package-lock.json'));
    repository.install();
    const lockfile = readFileSync(repository.path('scripts/pnpm/package-lock.json'), 'utf8');
    repository.write('scripts/pnpm/package-lock.json', lockfile.replaceAll(/"version": "\d+\./g, '"version": "99.'));
    repository.install();
    expect(calls().filter((call) => call === 'npm ci')).toHaveLength(3);
  });

  it('installs again after a failed install, and prints the output of the failed one', () => {
    const pnpm = readFileSync(repository.path('bin/pnpm'), 'utf8');
    repository.program('bin/pnpm', 'echo the disk is full; exit 1');
    expect(repository.install()).toMatchObject({ status: 1, stderr: expect.stringContaining('the disk is full') });
    repository.program('scripts/pnpm/node_modules/.bin/pnpm', pnpm);
    expect(repository.install().status).toBe(0);
    expect(calls().at(-1)).toBe(fullInstall);
  });

  it('explains that the registry does not respond', () => {
    repository.program('bin/npm', 'echo npm error code EAI_AGAIN >&2; exit 1');
    expect(repository.install()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The npm registry does not respond'),
    });
  });
});

function calls() {
  return readFileSync(repository.path('calls'), 'utf8').trim().split('\n');
}
