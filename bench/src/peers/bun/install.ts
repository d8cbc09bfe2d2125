import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExplainedError } from '@petstore/contracts';

/** npm installs them on demand. The project does not depend on them. */
const dependencies = { bun: '1.4.5', elysia: '1.4.30', postgres: '3.4.9' };

/** Git ignores it. */
const cache = fileURLToPath(new URL('../../../.peers/bun/', import.meta.url));
const source = fileURLToPath(new URL('../../../src/peers/bun/main.mjs', import.meta.url));

/**
 * Installs Bun and the packages of the peer, unless they are installed. Returns the program of Bun, and the peer's entry
 * next to its packages.
 * @throws ExplainedError if npm fails.
 */
export async function installBun(): Promise<{ node: string; entry: string }> {
  const manifest = JSON.stringify({ private: true, dependencies }, undefined, 2);
  const [file, entry, bun] = [
    join(cache, 'package.json'),
    join(cache, 'main.mjs'),
    join(cache, 'node_modules/.bin/bun'),
  ];
  mkdirSync(cache, { recursive: true });
  if (!existsSync(bun) || !existsSync(file) || readFileSync(file, 'utf8') !== manifest) {
    process.stderr.write('Installing the peer bun from the npm registry.\n');
    writeFileSync(file, manifest);
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--ignore-scripts=false'];
    const { status, stderr, error } = spawnSync('npm', ['install', ...options], { cwd: cache, encoding: 'utf8' });
    if (status !== 0) throw new ExplainedError(`npm could not install the peer bun: ${error?.message ?? stderr}`);
  }
  copyFileSync(source, entry);
  return { node: bun, entry };
}
