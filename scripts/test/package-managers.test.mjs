import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fromRoot, readManifest } from '../workspace.mjs';

const files = ['package.json', 'package-lock.json'];

describe('npm', () => {
  it.each(['install', 'ci'])('names npm start and changes nothing: npm %s', (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-npm-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of files) cpSync(fromRoot(file), join(folder, file));
    // Without the settings of this machine, about which npm may print warnings.
    const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: join(folder, '.npm') };
    const result = spawnSync('npm', [command], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
    expect(result).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[^>].*npm start/m) });
    for (const file of files) expect(readFileSync(join(folder, file))).toEqual(readFileSync(fromRoot(file)));
  });
});

describe('other package managers', () => {
  it('are rejected by the engines of package.json: yarn, and any other version of pnpm', () => {
    const { engines, packageManager } = readManifest('.');
    expect(engines.yarn).toContain('npm start');
    expect(`pnpm@${engines.pnpm}`).toBe(packageManager);
    expect(readManifest('scripts/bootstrap').dependencies.pnpm).toBe(engines.pnpm);
  });
});
