import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder } from './support/command.js';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

describe('the packed tarball', () => {
  it('installs without the network, and runs', () => {
    execFileSync('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: packageFolder });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const target = join(folder, 'installed');
    const options = ['--offline', '--no-audit', '--no-fund', '--silent', '--prefix', target];
    execFileSync('npm', ['install', ...options, join(folder, tarball)], { cwd: folder });
    const installed = join(target, 'node_modules/.bin/petstore');
    expect(execFileSync(installed, ['--version'], { encoding: 'utf8' })).toBe('1.0.0\n');
  });
});
