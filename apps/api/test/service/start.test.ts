import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Program, runProgram } from '@petstore/processes/program.js';
import { TestService } from '@petstore/processes/test-service.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Api } from '../support/api.js';
import {
  createEmptyDatabase,
  createMigratedDatabase,
  execute,
  type ScratchDatabase,
} from '../support/scratch-database.js';
import { apiOf, launchAtTerminal, prepareWithCluster } from '../support/service.js';

let service: TestService;

/** Where `script` is that of util-linux, as on Debian. */
const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');

/** By Ctrl-C, at the terminal. */
async function interrupt(atTerminal: Program): Promise<void> {
  atTerminal.write('\u0003');
  expect(await atTerminal.exited()).toBe(0);
}

/** Creates a service with an empty data directory for each test. */
function useEmptyDirectory(): void {
  beforeEach(async () => {
    service = await TestService.prepare();
  });
  afterEach(() => service.remove());
}

describe('the first start', () => {
  useEmptyDirectory();

  it('creates the only key, and without a terminal writes it to a file that only its owner can read', async () => {
    await service.with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'info' }).start();
    const path = join(service.dataDir, 'first-key');
    const key = (await readFile(path, 'utf8')).trim();
    expect(key).toMatch(/^psk_[A-Za-z0-9_-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await new Api(service.url, key).get('/v1/pets')).status).toBe(200);
    await expect.poll(() => service.output).toContain(path);
    expect(service.output).not.toContain(key);

    await service.end('SIGTERM');
    await writeFile(path, 'unchanged');
    await service.start();
    expect(await readFile(path, 'utf8')).toBe('unchanged');
  });

  it('writes the key into the private folder of the data directory if the data is there, as do the commands', async () => {
    const inside = join(service.dataDir, 'private');
    await mkdir(inside, { recursive: true, mode: 0o700 });
    await service.with({ BOOTSTRAP_API_KEY: '', LOG_LEVEL: 'info' }).start();
    expect(await readdir(service.dataDir)).toEqual(['private']);
    expect(await readdir(inside)).toContain('first-key');
    await expect.poll(() => service.output).toContain(`embedded, in ${inside}`);
    const { code, stdout } = await runProgram('manage.js', ['keys', 'list'], service.variables);
    expect([code, stdout]).toEqual([0, expect.stringContaining('first')]);
  });

  it.each<[string, (inUse: string, port: string) => Record<string, string>, number, string]>([
    ['PORT in use', (inUse) => ({ PORT: inUse }), 1, 'is already in use on 127.0.0.1. Set PORT to use another port.\n'],
    ['foreign HOST', () => ({ HOST: '192.0.2.1' }), 78, 'HOST: 192.0.2.1 is not an address of this machine; use'],
    ['HOST without its interface', () => ({ HOST: 'fe80::1%nosuch' }), 78, 'HOST: fe80::1%nosuch is not an address'],
    ['HOST of many machines', () => ({ HOST: 'ff02::1' }), 78, 'HOST: ff02::1 is not an address of this machine'],
    ['METRICS_PORT in use', (inUse) => ({ METRICS_PORT: inUse }), 1, 'Set METRICS_PORT to use another port.\n'],
    [
      'METRICS_PORT of the API',
      (_, port) => ({ METRICS_PORT: port }),
      78,
      'METRICS_PORT must not be the port of the API',
    ],
  ])('is refused before the database is created: %s', async (_what, settings, exitCode, problem) => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const inUse = String((other.address() as { port: number }).port);
    const variables = { ...service.variables, LOG_FORMAT: 'pretty', ...settings(inUse, String(service.port)) };
    const { code, stdout, stderr } = await runProgram('main.js', [], variables);
    expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringContaining(problem)]);
    expect(existsSync(join(service.dataDir, 'postgres'))).toBe(false);
  });

  it('exits without an error after Ctrl-C, which also reaches its children, and the next start succeeds', async () => {
    const child = service.launch({ detached: true });
    await expect.poll(() => readdir(service.dataDir)).toContainEqual(expect.stringMatching(/^postgres\.new/));
    process.kill(-child.pid, 'SIGINT');
    expect([await child.exited(), service.output]).toEqual([0, expect.not.stringContaining('did not start') as string]);
    await service.start();
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
  });
});

describe.skipIf(!hasTerminals)('the first start at a terminal', () => {
  beforeAll(async () => {
    service = (await prepareWithCluster()).with({ BOOTSTRAP_API_KEY: '' });
  });
  afterAll(() => service.remove());

  it('shows the key, once, with a link that carries it', async () => {
    const first = launchAtTerminal(service);
    await expect.poll(() => service.output).toMatch(/#key=\S+\r\n/);
    const key = /shown this once: (psk_[\w-]{43})\r\n/.exec(service.output)?.[1] ?? '';
    await expect.poll(() => service.output).toContain(`http://localhost:${service.port}/#key=${key}\r\n`);
    const [, between = ''] = /shown this once: \S+\r\n([^]*)Petstore is ready/.exec(service.output) ?? [];
    expect(between).toMatch(/^\S* ?.*INFO.*: .*API key created: first key.*\r\n$/);
    expect(between).not.toContain('{');
    expect((await new Api(service.url, key).get('/v1/pets')).status).toBe(200);
    expect(existsSync(join(service.dataDir, 'first-key'))).toBe(false);
    await interrupt(first);

    service.output = '';
    const second = launchAtTerminal(service);
    await expect.poll(() => service.output).toContain('Database  embedded');
    await interrupt(second);
    expect(service.output).not.toMatch(/key/i);
  });
});

describe('a start', () => {
  beforeAll(async () => {
    service = await prepareWithCluster();
  });
  afterEach(async () => void (await service.end('SIGTERM')));
  afterAll(() => service.remove());

  it('exits with 78 and names every variable that is wrong', async () => {
    const variables = { ...service.variables, PORT: 'http', LOG_LEVEL: 'loud', LOG_FORMAT: 'json' };
    const { code, stderr } = await runProgram('main.js', [], variables);
    expect([code, stderr]).toEqual([78, expect.stringMatching(/^\{.*\}\n$/)]);
    const { level, msg } = JSON.parse(stderr) as { level: number; msg: string };
    expect(level).toBe(60);
    expect(msg).toContain('PORT must be an integer from 0 to 65535, not "http"');
    expect(msg).toContain('LOG_LEVEL must be one of');
  });

  it('warns about a misspelled variable, and prevents the start of another service on its directory', async () => {
    await service.with({ DATABSE_URL: 'postgresql://petstore:s3cret@db/petstore' }).start();
    await expect.poll(() => service.output).toContain('DATABSE_URL has no effect. Did you mean DATABASE_URL?');
    expect(service.output).not.toContain('s3cret');
    const { code, stderr } = await runProgram('main.js', [], { ...service.variables, PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toContain(service.dataDir);
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
  });

  it('exits with 1 when it cannot reach the database of DATABASE_URL, and does not print its password', async () => {
    const variables = { ...service.variables, DATABASE_URL: 'postgresql://petstore:s3cret@127.0.0.1:1/petstore' };
    const { code, stderr } = await runProgram('main.js', [], variables);
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1');
    expect(stderr).not.toContain('s3cret');
  });
});

describe('the database of DATABASE_URL', () => {
  useEmptyDirectory();
  let database: ScratchDatabase;
  afterEach(() => database.drop());

  it('is accepted with MIGRATE_ON_START=false if it has the schema of this version, and gets no first key', async () => {
    database = await createMigratedDatabase();
    const variables = { DATABASE_URL: database.url, MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: '' };
    await service.with(variables).start();
    expect(await execute(database.url, 'SELECT name FROM api_key')).toEqual([]);
    expect(existsSync(join(service.dataDir, 'first-key'))).toBe(false);
    await expect
      .poll(() => service.output)
      .toContain('Run "npm run keys -- create --name NAME --scopes read,write", or set BOOTSTRAP');
  });

  it('accepts the key of BOOTSTRAP_API_KEY, and after the next start only another one', async () => {
    database = await createMigratedDatabase();
    await service.with({ DATABASE_URL: database.url }).start();
    expect(service.output).not.toContain('No API key is usable');
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
    await service.end('SIGTERM');
    const next = 'another-key-for-the-tests-of-it';
    await service.with({ BOOTSTRAP_API_KEY: next }).start();
    expect((await apiOf(service).get('/v1/pets')).status).toBe(401);
    expect((await new Api(service.url, next).get('/v1/pets')).status).toBe(200);
  });

  it('is rejected and not changed with MIGRATE_ON_START=false if it does not have the schema of this version', async () => {
    database = await createEmptyDatabase();
    const variables = { ...service.variables, DATABASE_URL: database.url, MIGRATE_ON_START: 'false' };
    const { code, stderr } = await runProgram('main.js', [], variables);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\{.*"msg":"The database does not have the schema .*\}\n$/),
    ]);
    expect(stderr).toContain('npm run migration:apply');
    expect(await execute(database.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });
});
