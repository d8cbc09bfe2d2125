import { execFileSync } from 'node:child_process';
import { serviceDirectory } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { apiOf } from '../support/service.js';

/** Continuous integration sets TEST_NODES to the paths of other Node versions, separated by colons. */
const others = (process.env['TEST_NODES'] ?? '').split(':').filter((path) => path !== '');
const nodes = [process.execPath, ...others].map(
  (path) => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path] as const,
);

describe.each(nodes)('the built service on Node %s', (version, node) => {
  let service: TestService;
  beforeEach(async () => {
    service = await TestService.prepare();
  });
  afterEach(() => service.remove());

  it('starts, creates an animal and stops, with a log in JSON and without unexpected output', async () => {
    await service.with({ LOG_LEVEL: 'info' }).start({ command: [node, `${serviceDirectory}main.js`] });
    expect((await apiOf(service).post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
    expect(await service.end('SIGTERM')).toBe(0);
    const lines = service.output.trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    const isOld = version.startsWith('v20.');
    expect(messages.filter((message) => !/^(request$|Applying the migration )/.test(message))).toEqual([
      ...(isOld ? [`Node ${version.slice(1)} gets no security fixes. Use Node 22 or 24.`] : []),
      `Creating the database in ${service.dataDir}. This happens only once.`,
      'API key created',
      'Petstore is ready.',
      `  Version   ${manifest.version}`,
      `  Admin     http://localhost:${service.port}`,
      `  API       http://localhost:${service.port}/v1`,
      `  Docs      http://localhost:${service.port}/docs`,
      `  Database  embedded, in ${service.dataDir}`,
      '  Backups   none: set BACKUP_DIRECTORY to a directory, best on another disk',
      'Stopping. Completing the accepted requests first.',
      'Stopped.',
    ]);
  });
});
