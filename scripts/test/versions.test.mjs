import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot, packageFolders, readManifest } from '../workspace.mjs';

describe('the version of the product', () => {
  it('is that of the latest release in the changelog, in every package', () => {
    const [, version] = /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/m.exec(
      readFileSync(fromRoot('CHANGELOG.md'), 'utf8'),
    );
    const versions = ['.', ...packageFolders()].map((folder) => [folder, readManifest(folder).version]);
    versions.push(['package-lock.json', JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8')).version]);
    for (const [folder, found] of versions) expect([folder, found]).toEqual([folder, version]);
  });
});

describe('the name of a package', () => {
  it('has a scope, because a stranger owns petstore on the public registry, and no page installs that', () => {
    expect(readManifest('.').private).toBe(true);
    const scopes = new Set(packageFolders().map((folder) => readManifest(folder).name.split('/')[0]));
    expect([...scopes]).toEqual([expect.stringMatching(/^@/)]);
    const files = execFileSync('git', ['ls-files'], { cwd: fromRoot(), encoding: 'utf8' }).trim().split('\n');
    const installs = files.filter((file) => file.endsWith('.md')).flatMap((file) => installsOf(file));
    expect(installs.length).toBeGreaterThan(1);
    expect(installs.filter((line) => /\spetstore(@|\s|$)/.test(line))).toEqual([]);
  });
});

/** The lines of a page that install a package, or run one without installing it. */
function installsOf(page) {
  return (
    readFileSync(fromRoot(page), 'utf8').match(/\b(npm (i|install|add|exec|update)|npx|pnpm (add|dlx)) .+$/gm) ?? []
  );
}

describe('the lockfile of pnpm and turbo', () => {
  it('has a hash for them and their Linux binaries, and names no registry', () => {
    const { packages } = JSON.parse(readFileSync(fromRoot('scripts/bootstrap/package-lock.json'), 'utf8'));
    for (const name of ['pnpm', '@pnpm/exe.linux-x64', '@pnpm/exe.linux-arm64', 'turbo', '@turbo/linux-64']) {
      expect(packages[`node_modules/${name}`].integrity).toMatch(/^sha512-/);
    }
    for (const { resolved } of Object.values(packages)) expect(resolved).toBe(undefined);
  });
});
