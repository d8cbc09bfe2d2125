import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot, packageFolders, readManifest } from '../workspace.mjs';

describe('the version of the product', () => {
  it('is that of the latest release in the changelog, in every package', () => {
    const [, version] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(
      readFileSync(fromRoot('CHANGELOG.md'), 'utf8'),
    );
    const versions = ['.', ...packageFolders()].map((folder) => [folder, readManifest(folder).version]);
    for (const [folder, found] of versions) expect([folder, found]).toEqual([folder, version]);
  });
});

describe('the lockfile of pnpm', () => {
  it('has a hash for pnpm and its Linux binaries, and names no registry', () => {
    const { packages } = JSON.parse(readFileSync(fromRoot('scripts/pnpm/package-lock.json'), 'utf8'));
    for (const name of ['pnpm', '@pnpm/exe.linux-x64', '@pnpm/exe.linux-arm64']) {
      expect(packages[`node_modules/${name}`].integrity).toMatch(/^sha512-/);
    }
    for (const { resolved } of Object.values(packages)) expect(resolved).toBe(undefined);
  });
});
