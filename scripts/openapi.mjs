import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { fromRoot } from './workspace.mjs';

const committed = fromRoot('apps/api/openapi.json');

const errors = existsSync(committed)
  ? [...findStaleness(), ...(await findLintErrors())]
  : ['apps/api/openapi.json is missing. Run `npm run openapi`.'];
for (const error of errors) console.error(error);
process.exitCode = errors.length > 0 ? 1 : 0;

/** The committed document must be identical to the generated one. */
function findStaleness() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'));
  try {
    const generated = join(folder, 'openapi.json');
    const args = [fromRoot('apps/api/dist/manage.js'), 'openapi', generated];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) return [`The generation of the OpenAPI document failed:\n${stdout}${stderr}`];
    if (readFileSync(generated).equals(readFileSync(committed))) return [];
    return ['apps/api/openapi.json is out of date. Run `npm run openapi`.'];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The errors and warnings of Redocly's strictest rules. */
async function findLintErrors() {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lint({ ref: committed, config });
  return found.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
}
