import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '@petstore/processes/program.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let path: string;

beforeEach(async () => {
  service = await TestService.prepare();
  path = join(service.dataDir, 'first-key');
});
afterEach(() => service.remove());

describe('the first start without a terminal', () => {
  it('serves no request before the key works', async () => {
    const child = await service.with({ BOOTSTRAP_API_KEY: '' }).launch();
    const isWritten = () =>
      readFile(path, 'utf8').then(
        (text) => text.endsWith('\n'),
        () => false,
      );
    while (!(await isWritten()) && !child.hasEnded) await sleep(1);
    const key = (await readFile(path, 'utf8')).trim();
    expect((await new Api(service.url, key).get('/v1/pets')).status).toBe(200);
  });

  it('replaces a file or a symbolic link in the place of the key, and leaves the target of the link alone', async () => {
    const target = join(service.dataDir, 'target');
    await writeFile(target, 'unchanged', { mode: 0o644 });
    await symlink(target, path);
    await service.with({ BOOTSTRAP_API_KEY: '' }).start();
    expect(await readFile(target, 'utf8')).toBe('unchanged');
    expect((await lstat(path)).isFile()).toBe(true);
    expect((await lstat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toMatch(/^psk_/);
  });

  it('creates no key when its file cannot be written, and the next one does', async () => {
    await mkdir(path);
    const variables = { ...service.variables, BOOTSTRAP_API_KEY: '' };
    const { code, stderr } = await runProgram('main.js', [], variables);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot write the first API key to ${path}: `)]);
    await rm(path, { recursive: true });
    await service.with({ BOOTSTRAP_API_KEY: '' }).start();
    expect(await readFile(path, 'utf8')).toMatch(/^psk_/);
  });

  it('keeps the key for the next start when the port is in use', async () => {
    const { code, stdout } = await service.with({ BOOTSTRAP_API_KEY: '' }).runWithPortInUse();
    expect([code, stdout]).toEqual([1, expect.not.stringMatching(/key/i)]);
    expect(existsSync(path)).toBe(false);
    await service.start();
    expect(await readFile(path, 'utf8')).toMatch(/^psk_/);
  });
});
