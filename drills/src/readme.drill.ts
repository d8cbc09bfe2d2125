import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, isReady } from '@petstore/test-kit/program.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';
import { expect, vi } from 'vitest';
import { drill, readCommandBlocks, requirePrograms, startProgram } from './drill.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

drill('the commands of the README, in a new clone', { timeout: 600_000 }, async ({ cleanup, skip }) => {
  requirePrograms(skip, ['git', 'curl']);
  const directory = await temporaryDirectory(cleanup);
  const [clone = '', requests = ''] = await readCommandBlocks(join(repository, 'README.md'));
  const port = String(await freePort());
  const start = clone.replace('REPOSITORY_URL', repository).replace('npm start', 'exec npm start');
  // An empty DATABASE_URL counts as unset.
  const variables = { ...process.env, NODE_ENV: undefined, PORT: port, DATABASE_URL: '' };
  await startProgram(cleanup, ['sh', '-euc', `cd "${directory}"\n${start}`], variables);
  // The first start installs packages and builds the service.
  await vi.waitUntil(() => isReady(`http://127.0.0.1:${port}/readyz`), { timeout: 300_000, interval: 200 });
  const key = (await readFile(join(directory, 'petstore/data/first-key'), 'utf8')).trim();
  const script = requests.replaceAll(':3000', `:${port}`).replace('psk_…', key);
  const { stdout } = await promisify(execFile)('sh', ['-euc', script]);
  const animal = /^# (?<animal>\{.+\})$/m.exec(requests)?.groups?.['animal'] ?? 'no animal in the README';
  // The create, the list and the search.
  expect(stdout.split(animal)).toHaveLength(4);
});
