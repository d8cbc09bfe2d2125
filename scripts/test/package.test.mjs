import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, Program } from '@petstore/test-kit/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyService } from '../package.mjs';

const folder = mkdtempSync(join(tmpdir(), 'petstore-package-'));
const directory = join(folder, 'petstore');

describe('the packaged service', () => {
  let service;
  let url;

  beforeAll(async () => {
    copyService(directory);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // Outside the repository, so that it finds no other files and packages.
    service = new Program([process.execPath, join(directory, 'apps/api/dist/main.js')], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: String(port) },
    });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('starts with its own database', { timeout: 90_000 }, async () => {
    await expect.poll(() => service.output, { timeout: 60_000 }).toContain('Petstore is ready.');
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it.each(['/', '/docs', '/docs/swagger-ui-bundle.js', '/openapi.json'])('serves %s', async (path) => {
    expect(await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).toMatchObject({ status: 200 });
  });

  it('names its commands without npm scripts, which it lacks', () => {
    const help = execFileSync(process.execPath, [join(directory, 'apps/api/dist/manage.js'), 'keys', '--help']);
    expect(String(help)).toContain('Usage: node apps/api/dist/manage.js keys');
  });

  it('stops at SIGTERM', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
