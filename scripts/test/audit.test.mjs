import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fromRoot } from '../workspace.mjs';

const script = fromRoot('scripts/run.mjs');

/** Runs `npm run audit` with a registry that gives this response about vulnerabilities. */
async function auditWith(status, body) {
  const server = createServer((request, response) => {
    request.resume();
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const registry = `http://127.0.0.1:${server.address().port}/`;
  const env = { ...process.env, npm_config_registry: registry, pnpm_config_fetch_retries: '0' };
  const run = promisify(execFile)(process.execPath, [script, 'audit', '--prod'], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

const advisory = { id: 1, url: 'https://example.com/1', title: 'A hole', severity: 'high', vulnerable_versions: '*' };

describe('npm run audit', () => {
  it('passes without a known vulnerability, and fails with one', async () => {
    expect(await auditWith(200, '{}')).toMatchObject({ code: 0 });
    expect(await auditWith(200, JSON.stringify({ fastify: [advisory] }))).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('A hole'),
    });
  });

  it.each([
    ['that closes the connection', undefined, ''],
    ['without data about vulnerabilities', 404, '{}'],
    ['that needs a login', 401, '{}'],
    ['whose answer is a page', 200, '<html></html>'],
  ])('fails with exit code 3, because nothing was checked, with a registry %s', async (_, status, body) => {
    expect(await auditWith(status, body)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('Nothing was checked'),
    });
  });
});
