import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let path: string;

beforeAll(async () => {
  service = (await TestService.prepare()).with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'silent' });
  path = join(service.dataDir, 'first-key');
});
afterAll(() => service.remove());

describe('the first start without a terminal', () => {
  it('creates no key when its file cannot be written', async () => {
    await mkdir(path);
    const { code, stderr } = await runProgram('main.js', [], service.variables);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write the first API key to ${path}: `)]);
    await rm(path, { recursive: true });
  });

  it('replaces a symbolic link in the place of the key, and serves no request before the key works', async () => {
    const target = join(service.dataDir, 'target');
    await writeFile(target, 'unchanged', { mode: 0o644 });
    await symlink(target, path);
    const child = await service.launch();
    const readKey = () => readFile(path, 'utf8').catch(() => '');
    while (!(await readKey()).endsWith('\n') && !child.hasEnded) await sleep(1);
    const key = (await readKey()).trim();
    expect((await new Api(service.url, key).get('/v1/pets')).status).toBe(200);
    expect(key).toMatch(/^psk_/);
    expect(await readFile(target, 'utf8')).toBe('unchanged');
    expect((await lstat(path)).isFile()).toBe(true);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
  });

  it('prints the path of the key at every log level', async () => {
    await expect.poll(() => service.output).toContain(path);
  });
});
