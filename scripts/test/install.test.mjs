import { readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Repository } from './support/repository.mjs';

const fullInstall = 'pnpm install --frozen-lockfile';

let repository;
beforeEach(() => {
  repository = new Repository();
});
afterEach(() => repository.remove());

function calls() {
  return readFileSync(repository.path('calls'), 'utf8').trim().split('\n');
}

describe('the install step', () => {
  it('installs pnpm and turbo from their lockfile once, and lets pnpm install what is missing each time', async () => {
    for (let time = 0; time < 2; time += 1) expect(await repository.install()).toMatchObject({ status: 0 });
    expect(calls()).toEqual(['npm ci', fullInstall, fullInstall]);
  });

  it('installs only what the service needs for a command of the service', async () => {
    await repository.install('serving');
    expect(calls().at(-1)).toMatch(/^pnpm --filter=@petstore\/api\.\.\. .*install --frozen-lockfile$/);
  });

  it('installs them again after an interrupted npm ci, and after a change of its version', async () => {
    await repository.install();
    rmSync(repository.path('scripts/bootstrap/node_modules/.package-lock.json'));
    await repository.install();
    const lockfile = readFileSync(repository.path('scripts/bootstrap/package-lock.json'), 'utf8');
    repository.write(
      'scripts/bootstrap/package-lock.json',
      lockfile.replaceAll(/"version": "\d+\./g, '"version": "99.'),
    );
    await repository.install();
    expect(calls().filter((call) => call === 'npm ci')).toHaveLength(3);
  });

  it('prints the output of a failed install', async () => {
    repository.program('bin/pnpm', 'echo the disk is full; exit 1');
    expect(await repository.install()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the disk is full'),
    });
  });

  it('explains that the registry does not respond', async () => {
    repository.program('bin/npm', 'echo npm error code EAI_AGAIN >&2; exit 1');
    expect(await repository.install()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The npm registry does not respond'),
    });
  });
});
