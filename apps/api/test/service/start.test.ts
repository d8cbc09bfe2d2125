import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { output, ServiceProcess } from '../support/service-process.js';

let service: ServiceProcess;

beforeEach(async () => {
  service = await ServiceProcess.prepare();
});
afterEach(() => service.remove());

describe('the first start', () => {
  it('makes one key, and where there is no terminal leaves it in a file that only its owner can read', async () => {
    await service.with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'info' }).start();
    const path = join(service.dataDir, 'first-key');
    const key = (await readFile(path, 'utf8')).trim();
    expect(key).toMatch(/^psk_[A-Za-z0-9_-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await new Api(service.url, key).get('/v1/pets')).status).toBe(200);
    expect(service.output).toContain(path);
    expect(service.output).not.toContain(key);
  });

  it('tells where the key is, however little the log holds', async () => {
    await service.with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'silent' }).start();
    expect(service.output).toContain(join(service.dataDir, 'first-key'));
  });

  it('that is interrupted as a terminal does, with all that it started, ends quietly, and the next one succeeds', async () => {
    const child = service.with({ LOG_LEVEL: 'info' }).spawn({ detached: true });
    while (!service.output.includes('Making the database')) await sleep(10);
    await sleep(300);
    process.kill(-Number(child.pid), 'SIGINT');
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, service.output]).toEqual([0, expect.not.stringContaining('did not start') as string]);
    await service.start();
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('is the only one that makes a key', async () => {
    const unattended = service.with({ BOOTSTRAP_API_KEY: '' });
    await unattended.start();
    await unattended.end('SIGTERM');
    await writeFile(join(service.dataDir, 'first-key'), 'unchanged');
    await unattended.start();
    expect(await readFile(join(service.dataDir, 'first-key'), 'utf8')).toBe('unchanged');
  });
});

describe('a start that cannot succeed', () => {
  it('exits with 78 and names HOST when this machine does not have its address', async () => {
    const { code, stderr } = await output('main.js', [], { ...service.environment, HOST: '192.0.2.1' });
    expect(code).toBe(78);
    expect(stderr).toContain('HOST: 192.0.2.1 is no address of this machine; allowed is');
    expect(await service.postmasterPid()).toBeUndefined();
  });

  it('exits with 78 and names every variable that is wrong', async () => {
    const { code, stderr } = await output('main.js', [], { ...service.environment, PORT: 'http', LOG_LEVEL: 'loud' });
    expect(code).toBe(78);
    expect(stderr).toContain('PORT: "http" is not a whole number from 0 to 65535');
    expect(stderr).toContain('LOG_LEVEL: "loud" is none of');
  });

  it('says so when the port is taken, and leaves no PostgreSQL behind', async () => {
    const other = createServer().listen(service.port, '127.0.0.1');
    await once(other, 'listening');
    const { code, stderr } = await output('main.js', [], service.environment);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(`Another program listens on 127.0.0.1:${service.port}. Stop it, or set PORT to a free port.\n`);
    expect(await service.postmasterPid()).toBeUndefined();
  });

  it('says so when another service owns the folder, which goes on', async () => {
    await service.start();
    const { code, stderr } = await output('main.js', [], { ...service.environment, PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toContain(service.dataDir);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
  });

  it('says so when the database of DATABASE_URL cannot be reached, without its password', async () => {
    const variables = { ...service.environment, DATABASE_URL: 'postgresql://petstore:s3cret@127.0.0.1:1/petstore' };
    const { code, stderr } = await output('main.js', [], variables);
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1');
    expect(stderr).not.toContain('s3cret');
  });
});

describe('BOOTSTRAP_API_KEY', () => {
  it('is replaced by another value at the next start', async () => {
    await service.start();
    await service.end('SIGTERM');
    const next = 'another-key-for-the-tests-of-it';
    await service.with({ BOOTSTRAP_API_KEY: next }).start();
    expect((await service.api.get('/v1/pets')).status).toBe(401);
    expect((await new Api(service.url, next).get('/v1/pets')).status).toBe(200);
  });
});

describe('a log that cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('does not keep the service from answering, nor from stopping', async () => {
    const full = openSync('/dev/full', 'w');
    await service.with({ LOG_LEVEL: 'info' }).start({ stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    for (let count = 0; count < 20; count += 1) expect((await service.api.get('/v1/pets')).status).toBe(200);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await service.postmasterPid()).toBeUndefined();
  });
});
