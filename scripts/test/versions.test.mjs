import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot, packageFolders, readManifest } from '../workspace.mjs';

describe('the version of the product', () => {
  it('is that of the latest release in the changelog or, before the first one, 1.0.0, in every package', () => {
    const changelog = readFileSync(fromRoot('CHANGELOG.md'), 'utf8');
    const [, version = '1.0.0'] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(changelog) ?? [];
    const lock = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8'));
    expect(lock).toMatchObject({ version });
    for (const folder of ['.', ...packageFolders()]) expect(readManifest(folder), folder).toMatchObject({ version });
  });
});

describe('the name of a package', () => {
  it('has a scope, because a stranger owns petstore on the public registry', () => {
    expect(readManifest('.').private).toBe(true);
    for (const folder of packageFolders()) expect(readManifest(folder).name).toMatch(/^@petstore\//);
  });
});

describe('the lockfile of pnpm', () => {
  it('has a hash for it and its Linux binaries, and names no registry', () => {
    const { packages } = JSON.parse(readFileSync(fromRoot('scripts/bootstrap/package-lock.json'), 'utf8'));
    for (const name of ['pnpm', '@pnpm/exe.linux-x64', '@pnpm/exe.linux-arm64']) {
      expect(packages[`node_modules/${name}`].integrity).toMatch(/^sha512-/);
    }
    for (const { resolved } of Object.values(packages)) expect(resolved).toBe(undefined);
  });
});

describe('the TypeScript of editors', () => {
  it('has a language server, unlike version 7', () => {
    const { 'typescript.tsdk': tsdk } = JSON.parse(readFileSync(fromRoot('.vscode/settings.json'), 'utf8'));
    expect(existsSync(fromRoot(tsdk, 'tsserver.js'))).toBe(true);
  });
});
