import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExplainedError } from '@petstore/contracts';

/** Git ignores it. */
const cache = fileURLToPath(new URL('../../../.peers/bun/', import.meta.url));
const sources = fileURLToPath(new URL('../../../src/peers/bun/', import.meta.url));

/**
 * Installs Bun and the packages of the peer, unless they are installed. Returns the command that starts the peer.
 * @throws ExplainedError if npm fails.
 */
export function installBun(): string[] {
  process.stderr.write('Installing the peer bun from the npm registry.\n');
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'main.mjs']) copyFileSync(join(sources, file), join(cache, file));
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--ignore-scripts=false'];
  const { status, stderr, error } = spawnSync('npm', ['install', ...options], { cwd: cache, encoding: 'utf8' });
  if (status !== 0) throw new ExplainedError(`npm could not install the peer bun: ${error?.message ?? stderr}`);
  return [join(cache, 'node_modules/.bin/bun'), join(cache, 'main.mjs')];
}
