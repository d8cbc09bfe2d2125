import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fromRoot, readManifest } from '../workspace.mjs';

describe('npm install', () => {
  it.each(['install', 'update'])('changes nothing, and its first line names npm start: npm %s', (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-npm-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(fromRoot('package.json'), join(folder, 'package.json'));
    // Without the settings of this machine, about which npm may print warnings.
    const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: join(folder, '.npm') };
    const { status, stderr } = spawnSync('npm', [command], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
    expect(status).toBe(1);
    expect(stderr.split('\n')[0]).toContain('npm cannot install this project. Run `npm start`');
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['package.json']);
  });
});

describe('other package managers', () => {
  it('are rejected by the engines of package.json: yarn, and any other version of pnpm', () => {
    const { engines, packageManager } = readManifest('.');
    expect(engines.yarn).toContain('npm start');
    expect(`pnpm@${engines.pnpm}`).toBe(packageManager);
    expect(readManifest('scripts/pnpm').dependencies.pnpm).toBe(engines.pnpm);
  });
});
