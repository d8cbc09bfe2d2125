import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder, program } from './support/command.js';

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

describe('completion', () => {
  it('has a script for bash that completes commands, flags, values and files', () => {
    const script = execFileSync(process.execPath, [program, 'completion', 'bash'], { encoding: 'utf8' });
    execFileSync('bash', ['-n'], { input: script });
    expect(complete('li')).toEqual(['list']);
    expect(complete('import', '--skip')).toEqual(['--skip-invalid']);
    expect(complete('list', '--status', '')).toEqual(['available', 'pending', 'sold']);
    expect(complete('import', 'package.j')).toEqual(['package.json']);
  });

  it('has a script for zsh', () => {
    const script = execFileSync(process.execPath, [program, 'completion', 'zsh'], { encoding: 'utf8' });
    expect(script).toMatch(/^#compdef petstore/);
  });
});

/** The completions that the scripts of the shells show. */
function complete(...words: string[]): string[] {
  const options = { encoding: 'utf8', cwd: packageFolder } as const;
  const lines = execFileSync(process.execPath, [program, 'complete', '--', ...words], options)
    .trim()
    .split('\n');
  return lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
}
