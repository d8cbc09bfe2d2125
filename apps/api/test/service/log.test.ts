import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, isolatedEnvironment, serviceDirectory } from '@petstore/test-kit/program.js';
import { sendSignal } from '@petstore/test-kit/postmaster.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.js';
import { useDatabase } from '../support/scratch-database.js';
import { apiOf } from '../support/service.js';

// Such a service starts sooner than with an embedded database.
const database = useDatabase();
let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare({ DATABASE_URL: database.url, LOG_LEVEL: 'info' });
});
afterAll(() => service.remove());

it('LOG_FORMAT=pretty logs text, also without a terminal, in which a request cannot forge a line', async () => {
  await service.with({ LOG_FORMAT: 'pretty' }).start();
  await apiOf(service).get('/v1/pets');
  await apiOf(service).get('/%1b%5b2J%0a09:09:09%20INFO:%20forged');
  expect(await service.end('SIGTERM')).toBe(0);
  const lines = service.output.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => line.startsWith('{'))).toEqual([]);
  expect(service.output).toMatch(/INFO: GET \/v1\/pets 200 [\d.]+ ms\n/);
  expect(service.output).toContain(String.raw`INFO: GET /\u001b[2J\u000a09:09:09 INFO: forged 404`);
  expect(lines.at(-1)).toBe('Stopped.');
});

const program = [process.execPath, join(serviceDirectory, 'main.js')];
/** In a terminal, whose output `script` writes to the pipe. */
const inTerminal = ['script', '--quiet', '--command', `echo $$ >&2; exec ${program.join(' ')}`, '/dev/null'];

/** Starts the service with a pipe as its log, which nothing reads. */
async function start(format: string, [command = '', ...args] = program) {
  const metricsPort = await freePort();
  service.with({ LOG_FORMAT: format, METRICS_PORT: String(metricsPort), SHUTDOWN_GRACE_MS: '3000' });
  const path = join(service.dataDir, `log-${metricsPort}`);
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  const child = spawn(command, args, {
    env: isolatedEnvironment(service.variables),
    stdio: ['ignore', writer, 'ignore'],
  });
  closeSync(writer);
  onTestFinished(() => void child.kill('SIGKILL'));
  // Unlike other requests, these are not logged.
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await expect.poll(() => metrics().catch(() => '')).not.toBe('');
  return { child, reader, metrics };
}

/** What is in the pipe now. */
function read(reader: number): string {
  const buffer = Buffer.alloc(65_536);
  try {
    return buffer.toString('utf8', 0, readSync(reader, buffer));
  } catch {
    return '';
  }
}

const request = () => service.fetch(`/v1/${'x'.repeat(400)}`).then((response) => response.text());

describe.runIf(process.platform !== 'win32')('a service whose log', () => {
  it.runIf(process.platform === 'linux')('is a stuck terminal responds, and ends after SIGTERM', async () => {
    const { reader } = await start('json', inTerminal);
    const pid = Number.parseInt(read(reader), 10);
    onTestFinished(() => sendSignal(pid, 'SIGKILL'));
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, request));
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => existsSync(`/proc/${pid}/exe`)).toBe(false);
    closeSync(reader);
  });

  it.each(['json', 'pretty'])('has a stuck reader ends after SIGTERM: LOG_FORMAT=%s', async (format) => {
    const { child, reader } = await start(format);
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, request));
    expect((await service.fetch('/v1/pets')).status).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    closeSync(reader);
  });

  it('has a reader that closes it counts the lines that are lost', async () => {
    const { child, reader, metrics } = await start('json');
    await expect.poll(() => read(reader)).toContain('/docs');
    closeSync(reader);
    for (let sent = 0; sent < 10; sent += 1) await request();
    await expect.poll(metrics).toMatch(/^petstore_log_lines_dropped_total 10$/m);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});

/** Runs the service until it fails. Its output goes to a file, which JOURNAL_STREAM names as systemd names the journal. */
async function logOf(variables: Record<string, string>, journal?: string): Promise<string[]> {
  const path = join(await createFolder(), 'log');
  const file = await open(path, 'a');
  const { dev, ino } = fstatSync(file.fd, { bigint: true });
  const env = isolatedEnvironment({ JOURNAL_STREAM: journal ?? `${dev}:${ino}`, ...variables });
  const child = spawn(process.execPath, program.slice(1), { env, stdio: ['ignore', file.fd, file.fd] });
  await once(child, 'exit');
  await file.close();
  return (await readFile(path, 'utf8')).trimEnd().split('\n');
}

const unreachable = { PORT: '0', DATABASE_URL: 'postgresql://clerk@127.0.0.1:1/petstore', DATABSE_URL: 'x' };

it('every JSON line has the priority that journald reads: 4 for a warning, 2 for the reason why the start failed', async () => {
  const lines = await logOf(unreachable);
  expect(lines.filter((line) => !/^<[24]>\{"level":\d0,/.test(line))).toEqual([]);
  expect(lines[0]).toMatch(/^<4>\{"level":40,.*DATABSE_URL has no effect/);
  expect(lines.at(-1)).toMatch(/^<2>\{"level":60,.*Cannot connect to the database/);
  expect(await logOf({ PORT: 'many' })).toEqual([expect.stringMatching(/^<2>\{"level":60,.*PORT must be/)]);
});

it.each([
  ['no journal', { journal: '' }, /^\{"level":/],
  ['text for people', { LOG_FORMAT: 'pretty' }, /^[^<]/],
])('no line of %s has a priority', async (_, { journal, ...variables }: Record<string, string>, form) => {
  for (const line of await logOf({ ...unreachable, ...variables }, journal)) expect(line).toMatch(form);
});
