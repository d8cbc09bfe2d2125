import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Program, runProgram, serviceDirectory } from '@petstore/test-kit/program.js';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { Api } from '../support/api.js';
import { createEmptyDatabase, createTestDatabase, execute } from '../support/scratch-database.js';
import { openSocket } from '../support/raw-http.js';
import { addCluster, apiOf } from '../support/service.js';

let service: TestService;

/** Whether the machine has the `script` of util-linux, as Debian does. */
const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');

const shellCommand = `exec '${process.execPath}' '${serviceDirectory}main.js'`;

/** Starts it in a terminal of `script`, without waiting. */
function launchAtTerminal(): Program {
  return service.launch({ command: ['/usr/bin/script', '-qfec', shellCommand, '/dev/null'], stdio: 'pipe' });
}

/** Presses Ctrl-C at the terminal. */
async function interrupt(atTerminal: Program): Promise<void> {
  atTerminal.write('\u0003');
  expect(await atTerminal.exited()).toBe(0);
}

const file = import.meta.filename;

beforeEach(async () => {
  service = await TestService.prepare();
});
afterEach(() => service.remove());

/** Continuous integration sets TEST_NODES to the paths of other Node versions, separated by colons. */
const others = (process.env['TEST_NODES'] ?? '').split(':').filter((path) => path !== '');
const nodes = [process.execPath, ...others].map((path) => [String(execFileSync(path, ['--version'])).trim(), path]);

it.each(nodes)(
  'on Node %s the service creates its database and an animal, stops, and logs only JSON',
  async (version = '', node = '') => {
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
  },
);

it.each([
  ['PORT', 'USED', 1, 'Set PORT to use another port.'],
  ['METRICS_PORT', 'USED', 1, 'Set METRICS_PORT to use another port.'],
  ['HOST', '192.0.2.1', 78, '192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)'],
])('a start is refused, and stops the database, if %s is %s', async (name, value, exitCode, problem) => {
  await addCluster(service);
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const variables = { ...service.variables, [name]: value.replace('USED', String(port)) };
  const { code, stderr } = await runProgram('main.js', [], variables);
  expect(stderr).toContain(problem);
  expect(code).toBe(exitCode);
  expect(await service.postmasterPid()).toBeUndefined();
});

describe('the first start', () => {
  it.each<[settings: Record<string, string>, exitCode: number, problem: string | RegExp]>([
    [{ BACKUP_DIRECTORY: file }, 78, /BACKUP_DIRECTORY: .*\.ts is not a directory\n$/],
    [{ BACKUP_DIRECTORY: '/dev/none/store' }, 78, 'BACKUP_DIRECTORY: /dev/none does not exist. Is a disk'],
    [{ BACKUP_DIRECTORY: `${file}/store` }, 78, 'BACKUP_DIRECTORY: ENOTDIR: not a directory'],
    [{ CATEGORIES_FILE: file }, 78, /CATEGORIES_FILE: .*: line 1 must have 2 cells/],
    [{ DATABASE_URL: 'postgresql://a:s3cret@127.0.0.1:1/petstore' }, 1, '127.0.0.1:1'],
  ])('is refused before the database is created: %j', async (settings, exitCode, problem) => {
    const variables = { ...service.variables, LOG_FORMAT: 'pretty', ...settings };
    const { code, stdout, stderr } = await runProgram('main.js', [], variables);
    expect(code).toBe(exitCode);
    expect(stdout).not.toContain('Creating the database');
    expect(stderr).toMatch(problem);
    expect(stderr).not.toContain('s3cret');
    expect(existsSync(join(service.dataDir, 'postgres'))).toBe(false);
  });

  it('says that it stops, and exits without an error, after Ctrl-C, which also reaches its children; the next start succeeds', async () => {
    const child = service.with({ LOG_LEVEL: 'info' }).launch({ detached: true });
    await expect.poll(() => readdir(service.dataDir)).toContainEqual(expect.stringMatching(/^postgres\.new/));
    process.kill(-child.pid, 'SIGINT');
    // Before the database is complete.
    await expect.poll(() => service.output).toContain('"msg":"Stopping."');
    expect(await child.exited()).toBe(0);
    expect(service.output).not.toContain('did not start');
    expect(service.output).toContain('"msg":"Stopped."');
    await service.start();
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
  });
});

it.skipIf(!hasTerminals)('the first start at a terminal shows the key, once, with a link that carries it', async () => {
  await addCluster(service.with({ BOOTSTRAP_API_KEY: '' }));
  // A start on a used port must not take the key with it.
  const other = createServer().listen(service.port, '127.0.0.1');
  await once(other, 'listening');
  await launchAtTerminal().exited();
  expect(service.output).toContain(`Port ${service.port} is already in use`);
  expect(service.output).not.toContain('psk_');
  other.close();

  service.output = '';
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

describe('the database of DATABASE_URL', () => {
  it('must have the schema of this version with MIGRATE_ON_START=false, and is not changed', async () => {
    const empty = await createEmptyDatabase();
    onTestFinished(() => empty.drop());
    service.with({ DATABASE_URL: empty.url, MIGRATE_ON_START: 'false' });
    const { code, stderr } = await runProgram('main.js', [], service.variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^\{.*"msg":"The database does not have the schema .*the command \\"migration apply.*\}\n$/);
    expect(await execute(empty.url, `SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('gets no first key, but that of BOOTSTRAP_API_KEY, which the next start can replace', async () => {
    const { url } = await createTestDatabase();
    await execute(url, `INSERT INTO api_key (name, hash, expires_at) VALUES ('expired', '', '2026-01-01')`);
    const statusWith = async (key: string) => {
      await service.with({ DATABASE_URL: url, BOOTSTRAP_API_KEY: key }).start();
      return (await apiOf(service).get('/v1/pets')).status;
    };
    expect(await statusWith('')).toBe(401);
    expect(await execute(url, 'SELECT name FROM api_key')).toEqual([{ name: 'expired' }]);
    expect(existsSync(join(service.dataDir, 'first-key'))).toBe(false);
    const advice =
      'No API key is valid. Run "npm run keys -- create --name NAME --scopes read,write", or set BOOTSTRAP';
    await expect.poll(() => service.output).toContain(advice);
    await service.end('SIGTERM');
    service.output = '';
    expect(await statusWith(apiKey)).toBe(200);
    expect(service.output).not.toContain('No API key is valid');
    await service.end('SIGTERM');
    const next = 'another-key-for-the-tests-of-it';
    expect(await statusWith(next)).toBe(401);
    expect((await new Api(service.url, next).post('/v1/pets', { name: 'Rex', categoryId: 7 })).status).toBe(201);
  });
});

describe.runIf(process.platform === 'linux')('with a low limit of open files', () => {
  /** Starts it with `ulimit -n`. */
  const launch = (openFiles: number) =>
    service.launch({ command: ['sh', '-c', `ulimit -n ${openFiles} && ${shellCommand}`] });

  it.each([
    ['are idle', ''],
    ['do not read the files that they request', 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('others are served, and the log says what was refused, while 320 connections %s', async (_what, request) => {
    await addCluster(service);
    await launch(300).ready(`${service.url}/readyz`);
    const sockets = Array.from({ length: 320 }, () => openSocket(service.url).pause());
    // Several files are more than the kernel buffers.
    for (const socket of sockets) socket.write(request.repeat(20));
    await expect.poll(() => service.output, { timeout: 20_000 }).toMatch(/"(closed|dropped)":\d+/);
    expect((await apiOf(service).get('/v1/pets')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(service.output).toContain('"The limit of open files (ulimit -n) allows only 95 connections."');
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('is refused if it is too low', async () => {
    expect(await launch(140).exited()).toBe(78);
    expect(service.output).toContain('the limit of open files (ulimit -n) must be at least 150, not 140');
  });
});
