import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { environment, folder } from './support/command.js';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

describe('an older Node', () => {
  const built = join(packageFolder, 'dist/petstore.js');

  it.each(['12.22.12', '20.18.3', '21.7.3', '22.11.0'])('gets the supported ones: %s', (version) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const args = ['--import', `data:text/javascript,${pretend}`, built, 'list'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('needs Node.js 20 (from 20.19), 22 (from 22.12) or newer. This is v');
  });

  it('reads no other module before: it would fail on what these lack', () => {
    expect(readFileSync(built, 'utf8')).not.toMatch(/^import\b(?!\()|\bawait\b/m);
  });
});

describe('the packed tarball', () => {
  it('is not made without a build', () => {
    const copy = join(folder, 'unbuilt');
    const isPacked = (path: string) => !/node_modules|dist/.test(path.slice(packageFolder.length));
    cpSync(packageFolder, copy, { recursive: true, filter: isPacked });
    const pack = () => execFileSync('npm', ['pack', '--silent'], { cwd: copy, stdio: 'pipe' });
    expect(pack).toThrow('Run npm run build first.');
  });

  it('installs without the network, and runs', () => {
    execFileSync('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: packageFolder });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const target = join(folder, 'installed');
    const options = ['--offline', '--no-audit', '--no-fund', '--silent', '--prefix', target];
    execFileSync('npm', ['install', ...options, join(folder, tarball)], { cwd: folder });
    const installed = join(target, 'node_modules/.bin/petstore');
    expect(execFileSync(installed, ['--version'], { encoding: 'utf8' })).toMatch(
      /^1\.0\.0\nDocumentation: .*README\.md\n$/,
    );
    const inFolder = { cwd: target, env: environment(), encoding: 'utf8' } as const;
    expect(execFileSync(installed, ['list', '--limit', '1', '--json'], inFolder)).toMatch(/^\[.*\]\n$/);
    // In the package, such a link leads nowhere.
    expect(readFileSync(join(target, 'node_modules/@petstore/cli/README.md'), 'utf8')).not.toContain('](../');
  });
});
