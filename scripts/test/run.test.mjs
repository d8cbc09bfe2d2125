import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fromRoot, readManifest } from '../workspace.mjs';

const script = fromRoot('scripts/run.mjs');

function run(...args) {
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
}

describe('npm run', () => {
  it('lists every command of package.json', () => {
    const { stdout } = run(script);
    const names = Object.keys(readManifest('.').scripts);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) if (!['help', 'postinstall'].includes(name)) expect(stdout).toContain(`npm run ${name} `);
  });

  it('rejects an unknown command', () => {
    expect(run(script, 'strat')).toMatchObject({ status: 1, stderr: expect.stringContaining('"strat"') });
  });

  it.each(['start', 'database:url', 'test'])('rejects an argument that would have no effect: %s', (name) => {
    expect(run(script, name, '--dry-run')).toMatchObject({
      status: 1,
      stdout: name === 'test' ? '0 passed, 1 failed\n' : '',
      stderr: expect.stringContaining(`npm run ${name} takes no arguments`),
    });
  });

  it.each(['18.20.8', '21.7.3', '22.11.0'])('rejects Node %s and names the supported versions', (version) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;
    const result = run('--import', `data:text/javascript,${pretend}`, script, 'start');
    expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining('needs Node.js 20 (from 20.19)') });
  });

  it.each(['#', '?', ':', '"', '$', '`'])(
    'rejects a folder with %s in its path before it installs anything',
    (character) => {
      const folder = mkdtempSync(join(tmpdir(), `petstore-a${character}b-`));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const filter = (path) => !path.includes('node_modules');
      cpSync(fromRoot('scripts'), join(folder, 'scripts'), { recursive: true, filter });
      const message = `Petstore does not work in ${folder}/: the path has the character ${character}.`;
      const result = run(join(folder, 'scripts/run.mjs'), 'start');
      expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
      expect(existsSync(join(folder, 'scripts/bootstrap/node_modules'))).toBe(false);
    },
  );

  it('petstore works in a folder of the examples', () => {
    const options = { cwd: fromRoot('examples/browser-page'), encoding: 'utf8', timeout: 60_000 };
    const result = spawnSync('npm', ['run', '--silent', 'petstore', '--', '--version'], options);
    expect(result).toMatchObject({ status: 0, stdout: expect.stringContaining('Documentation: ') });
  });
});
