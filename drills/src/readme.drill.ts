import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, isReady } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { vi } from 'vitest';
import { readCommandBlocks } from './command-blocks.js';
import { drill, requirePrograms } from './drill.js';
import { ownProgram } from './servers/program.js';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
/** The first start installs packages and builds the service. */
const startMs = 300_000;

drill('the commands of the README, in a new clone', { timeout: 600_000 }, async ({ cleanup, tally, skip }) => {
  requirePrograms(skip, ['git', 'curl']);
  const directory = await temporaryDirectory(cleanup);
  const [start = '', requests = ''] = await readCommandBlocks(join(repository, 'README.md'));
  const port = String(await freePort());
  // An empty DATABASE_URL counts as unset.
  const env = { ...(process.env as Record<string, string>), PORT: port, DATABASE_URL: '' };
  const script = `cd "${directory}"\n${start.replace('REPOSITORY_URL', repository).replace('npm start', 'exec npm start')}`;
  await ownProgram(cleanup, ['sh', '-euc', script], env);
  await vi.waitUntil(() => isReady(`http://127.0.0.1:${port}/readyz`), { timeout: startMs, interval: 200 });
  const key = (await readFile(join(directory, 'petstore/data/first-key'), 'utf8')).trim();
  const { stdout } = await run('sh', ['-euc', requests.replaceAll(':3000', `:${port}`).replace('psk_…', key)], { env });
  const animal = /^# (?<animal>\{.+\})$/m.exec(requests)?.groups?.['animal'] ?? 'no animal in the README';
  tally.acknowledged = stdout.split(animal).length - 1;
  tally.expect(
    tally.acknowledged === 3,
    `the requests of the README printed ${stdout} instead of ${animal} three times`,
  );
});
