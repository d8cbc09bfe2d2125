import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { prepareWithCluster } from '../support/service.js';

let service: TestService;
const keys = (...args: string[]) => runProgram('manage.js', ['keys', ...args], service.variables);
const statusWith = async (key: string) => (await new Api(service.url, key).get('/v1/pets')).status;

describe('the keys command', () => {
  beforeAll(async () => {
    service = await prepareWithCluster();
  });
  afterAll(() => service.remove());

  it('works before the first start of the service, after migration:apply, and leaves no PostgreSQL running', async () => {
    expect(await runProgram('manage.js', ['migration', 'apply'], service.variables)).toMatchObject({ code: 0 });
    const { stdout } = await keys('create', '--name', 'early', '--scopes', 'read,write', '--json');
    expect(await service.postmasterPid()).toBeUndefined();
    await service.start();
    expect(await statusWith((JSON.parse(stdout) as { key: string }).key)).toBe(200);
  });

  it('creates and revokes a key while the service runs, and logs both as audit events, never the key', async () => {
    const { stdout, stderr } = await keys('create', '--name', 'till', '--json');
    const { id, key } = JSON.parse(stdout) as { id: number; key: string };
    await expect.poll(() => statusWith(key)).toBe(200);
    const event = { event: 'api_key.created', apiKeyId: id, name: 'till', scopes: ['read'] };
    expect(JSON.parse(stderr)).toMatchObject(event);
    expect(stderr).not.toContain(key);
    const revoked = await keys('revoke', String(id));
    expect(revoked.code).toBe(0);
    await expect.poll(() => statusWith(key)).toBe(401);
    expect(JSON.parse(revoked.stderr)).toMatchObject({ event: 'api_key.revoked', apiKeyId: id });
  });
});

describe('the first start without a terminal', () => {
  let path: string;
  beforeAll(async () => {
    service = (await prepareWithCluster()).with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'silent' });
    path = join(service.dataDir, 'first-key');
  });
  afterAll(() => service.remove());

  it('creates no key when its file cannot be written', async () => {
    await mkdir(path);
    const { code, stderr } = await runProgram('main.js', [], service.variables);
    expect(stderr).toContain(`Cannot write the first API key to ${path}: `);
    expect(code).toBe(1);
    await rm(path, { recursive: true });
  });

  it('replaces a symbolic link in the place of the key, and serves no request before the key works', async () => {
    const target = join(service.dataDir, 'target');
    await writeFile(target, 'unchanged', { mode: 0o644 });
    await symlink(target, path);
    const child = service.launch();
    const isServing = () =>
      service.fetch('/healthz').then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isServing()) && !child.hasEnded) await sleep(1);
    const key = (await readFile(path, 'utf8')).trim();
    expect(await statusWith(key)).toBe(200);
    expect(key).toMatch(/^psk_[A-Za-z0-9_-]{43}$/);
    expect(await readFile(target, 'utf8')).toBe('unchanged');
    expect((await lstat(path)).isFile()).toBe(true);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    // The service prints the path at every log level.
    await expect.poll(() => service.output).toContain(path);
    expect(service.output).not.toContain(key);

    await service.end('SIGTERM');
    await writeFile(path, 'unchanged');
    await service.start();
    expect(await readFile(path, 'utf8')).toBe('unchanged');
  });
});
