import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { fromRoot } from './workspace.mjs';

const committed = fromRoot('apps/api/openapi.json');

const faults = existsSync(committed)
  ? [...staleness(), ...(await problems())]
  : ['apps/api/openapi.json is missing. `npm run openapi` writes it.'];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** The committed document has to be, to the byte, what the code generates. */
function staleness() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'));
  try {
    const generated = join(folder, 'openapi.json');
    const { status } = spawnSync(process.execPath, [fromRoot('apps/api/dist/openapi.js'), generated], {
      stdio: 'inherit',
    });
    if (status !== 0) return ['The code does not generate the document (see above).'];
    if (readFileSync(generated).equals(readFileSync(committed))) return [];
    return ['apps/api/openapi.json is not what the code generates. `npm run openapi` writes it anew.'];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What Redocly's strictest rules have against it; warnings count. */
async function problems() {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lint({ ref: committed, config });
  return found.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
}
