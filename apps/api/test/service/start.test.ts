import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Program, runProgram, serviceDirectory } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Api } from '../support/api.js';
import { createFolder } from '../support/folder.js';
import { createEmptyDatabase, createTestDatabase, execute } from '../support/scratch-database.js';
import { addCluster, apiOf } from '../support/service.js';

let service: TestService;

/** Where `script` is that of util-linux, as on Debian. */
const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');

/** Starts it in a terminal of `script`, without waiting. */
function launchAtTerminal(): Program {
  const shellCommand = `exec '${process.execPath}' '${serviceDirectory}main.js'`;
  return service.launch({ command: ['/usr/bin/script', '-qfec', shellCommand, '/dev/null'], stdio: 'pipe' });
}

/** By Ctrl-C, at the terminal. */
async function interrupt(atTerminal: Program): Promise<void> {
  atTerminal.write('\u0003');
  expect(await atTerminal.exited()).toBe(0);
}

/** For the settings of a start: a port that is in use, that of the service, and an invalid file of categories. */
interface Places {
  inUse: string;
  port: string;
  categories: string;
}

beforeEach(async () => {
  service = await TestService.prepare();
});
afterEach(() => service.remove());

describe('the first start', () => {
  it.each<[string, (places: Places) => Record<string, string>, number, string | RegExp]>([
    [
      'PORT in use',
      ({ inUse }) => ({ PORT: inUse }),
      1,
      'is already in use on 127.0.0.1. Set PORT to use another port.\n',
    ],
    ['foreign HOST', () => ({ HOST: '192.0.2.1' }), 78, 'HOST: 192.0.2.1 is not an address of this machine; use'],
    ['HOST without its interface', () => ({ HOST: 'fe80::1%nosuch' }), 78, 'HOST: fe80::1%nosuch is not an address'],
    ['HOST of many machines', () => ({ HOST: 'ff02::1' }), 78, 'HOST: ff02::1 is not an address of this machine'],
    ['METRICS_PORT in use', ({ inUse }) => ({ METRICS_PORT: inUse }), 1, 'Set METRICS_PORT to use another port.\n'],
    [
      'METRICS_PORT of the API',
      ({ port }) => ({ METRICS_PORT: port }),
      78,
      'METRICS_PORT must not be the port of the API',
    ],
    ['two invalid settings', () => ({ PORT: 'http', LOG_LEVEL: 'loud' }), 78, 'not "http"\n  LOG_LEVEL must be one of'],
    [
      'a device for backups',
      () => ({ BACKUP_DIRECTORY: '/dev/null' }),
      78,
      'BACKUP_DIRECTORY: /dev/null is not a directory\n',
    ],
    [
      'a file for backups',
      () => ({ BACKUP_DIRECTORY: import.meta.filename }),
      78,
      /BACKUP_DIRECTORY: .*\.ts is not a directory\n$/,
    ],
    [
      'backups below a file',
      () => ({ BACKUP_DIRECTORY: join(import.meta.filename, 'a') }),
      78,
      /BACKUP_DIRECTORY: .+ is not a directory\n$/,
    ],
    [
      'lines of categories',
      ({ categories }) => ({ CATEGORIES_FILE: categories }),
      78,
      /line 3 must have 2 cells, number and name, not 1\n {2}CATEGORIES_FILE: .*: line 4: number must be an integer between/,
    ],
    ['unreachable server', () => ({ DATABASE_URL: 'postgresql://a:s3cret@127.0.0.1:1/petstore' }), 1, '127.0.0.1:1'],
  ])('is refused before the database is created: %s', async (_what, settings, exitCode, problem) => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const inUse = String((other.address() as { port: number }).port);
    const categories = join(await createFolder(), 'categories.csv');
    await writeFile(categories, 'number,name\n1,Dogs\n2\n3.5,Cats\n');
    const places = { inUse, categories, port: String(service.port) };
    const variables = { ...service.variables, LOG_FORMAT: 'pretty', ...settings(places) };
    const { code, stdout, stderr } = await runProgram('main.js', [], variables);
    expect(code).toBe(exitCode);
    expect(stdout).not.toContain('Creating the database');
    expect(stderr).toMatch(problem);
    expect(stderr).not.toContain('s3cret');
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

it.skipIf(!hasTerminals)('the first start at a terminal shows the key, once, with a link that carries it', async () => {
  await addCluster(service.with({ BOOTSTRAP_API_KEY: '' }));
  const first = launchAtTerminal();
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
  const second = launchAtTerminal();
  await expect.poll(() => service.output).toContain('Database  embedded');
  await interrupt(second);
  expect(service.output).not.toMatch(/key/i);
});

it('a start warns about a misspelled variable, and prevents the start of another service on its directory', async () => {
  await addCluster(service);
  await service.with({ DATABSE_URL: 'postgresql://petstore:s3cret@db/petstore' }).start();
  await expect.poll(() => service.output).toContain('DATABSE_URL has no effect. Did you mean DATABASE_URL?');
  expect(service.output).not.toContain('s3cret');
  const { code, stderr } = await runProgram('main.js', [], { ...service.variables, PORT: '0' });
  expect(code).toBe(1);
  expect(stderr).toContain(service.dataDir);
  expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
});

describe('the database of DATABASE_URL', () => {
  it('must have the schema of this version with MIGRATE_ON_START=false, is not changed, and gets no first key', async () => {
    const [empty, migrated] = [await createEmptyDatabase(), await createTestDatabase()];
    onTestFinished(() => empty.drop());
    service.with({ DATABASE_URL: empty.url, MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: '' });
    const { code, stderr } = await runProgram('main.js', [], service.variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\{.*"msg":"The database does not have the schema .*npm run migration:apply.*\}\n$/);
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);

    await service.with({ DATABASE_URL: migrated.url }).start();
    expect(await execute(migrated.url, 'SELECT name FROM api_key')).toEqual([]);
    expect(existsSync(join(service.dataDir, 'first-key'))).toBe(false);
    const advice = 'Run "npm run keys -- create --name NAME --scopes read,write", or set BOOTSTRAP';
    await expect.poll(() => service.output).toContain(advice);
  });

  it('accepts the key of BOOTSTRAP_API_KEY, and after the next start only another one', async () => {
    const database = await createTestDatabase();
    await service.with({ DATABASE_URL: database.url }).start();
    expect(service.output).not.toContain('No API key is usable');
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
    await service.end('SIGTERM');
    const next = 'another-key-for-the-tests-of-it';
    await service.with({ BOOTSTRAP_API_KEY: next }).start();
    expect((await apiOf(service).get('/v1/pets')).status).toBe(401);
    const changed = new Api(service.url, next);
    expect((await changed.post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
  });
});
