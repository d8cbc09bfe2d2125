import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Api } from './api.js';

const startMs = 30_000;
const stopMs = 15_000;
const entries = fileURLToPath(new URL('../../dist/', import.meta.url));

/** A key that every service process of the tests is started with. */
export const bootstrapKey = 'a-key-for-the-tests-of-the-service';

/** The built service as a process of its own, on an embedded database in a folder of its own. */
export class ServiceProcess {
  output = '';
  private child: ChildProcess | undefined;
  private variables: Record<string, string> = {};

  private constructor(
    readonly dataDir: string,
    readonly port: number,
  ) {}

  static async prepare(): Promise<ServiceProcess> {
    return new ServiceProcess(await mkdtemp(join(tmpdir(), 'petstore-service-')), await freePort());
  }

  /** From its next start on. */
  with(variables: Record<string, string>): this {
    this.variables = variables;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get api(): Api {
    return new Api(this.url, bootstrapKey);
  }

  /** Starts it and waits until it is ready, 30 s at most. */
  async start(options: RunOptions = {}): Promise<void> {
    const child = this.spawn(options);
    for (const begin = Date.now(); !(await this.isReady()); await sleep(20)) {
      const ending = child.exitCode ?? child.signalCode;
      if (ending !== null) throw new Error(`the service ended with ${ending}:\n${this.output}`);
      if (Date.now() - begin > startMs) throw new Error(`the service is not ready after 30 s:\n${this.output}`);
    }
  }

  /** Starts it without waiting. */
  spawn(options: RunOptions = {}): ChildProcess {
    return this.watch(run('main.js', [], { ...this.environment, ...this.variables }, options));
  }

  /** Starts it at a terminal, by the `script` of util-linux, without waiting: what its `stdin` gets is typed there. */
  spawnAtTerminal(): ChildProcess {
    const command = `exec '${process.execPath}' '${join(entries, 'main.js')}'`;
    const env = withPath({ ...this.environment, ...this.variables });
    return this.watch(spawn('/usr/bin/script', ['-qfec', command, '/dev/null'], { env }));
  }

  get environment(): Record<string, string> {
    const { dataDir, port } = this;
    return { DATA_DIR: dataDir, PORT: String(port), BOOTSTRAP_API_KEY: bootstrapKey, LOG_LEVEL: 'warn' };
  }

  /** Of the database that it runs on. */
  async databaseUrl(): Promise<string> {
    return (await output('database-url.js', [], this.environment)).stdout.trim();
  }

  /** Sends a signal to the service; resolves with its exit code once it has ended. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  }

  /** Of the PostgreSQL that runs on the folder; `undefined` when there is none. */
  async postmasterPid(): Promise<number | undefined> {
    const text = await readFile(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    return Number.isNaN(pid) ? undefined : pid;
  }

  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket.on('error', () => undefined);
  }

  /** With all that a test left running, however it hangs. */
  async remove(): Promise<void> {
    const killing = setTimeout(() => this.child?.kill('SIGKILL'), stopMs);
    await this.end('SIGTERM');
    clearTimeout(killing);
    const pid = await this.postmasterPid();
    if (pid !== undefined) await stopPostmaster(pid);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private watch(child: ChildProcess): ChildProcess {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.child = child;
    return child;
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

interface RunOptions extends SpawnOptions {
  /** The path of another Node. */
  node?: string;
}

/** Runs an entry of the built service; the caller's environment reaches it only as far as it is named. */
export function run(
  entry: string,
  args: string[],
  variables: Record<string, string>,
  { node = process.execPath, ...options }: RunOptions = {},
): ChildProcess {
  return spawn(node, [join(entries, entry), ...args], { env: withPath(variables), ...options });
}

function withPath(variables: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...variables };
}

/** What an entry of the built service prints, and what it ends with. */
export async function output(entry: string, args: string[], variables: Record<string, string>) {
  const child = run(entry, args, variables);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  await once(child, 'close');
  return { stdout, stderr, code: child.exitCode };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !hasEnded(pid);
  } catch {
    return false;
  }
}

/** Linux keeps the number of a process that has ended, no longer its command, until its parent has taken note. */
function hasEnded(pid: number): boolean {
  return existsSync('/proc/self') && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';
}

/** A left-over one, when a test failed half-way. */
async function stopPostmaster(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT');
  for (let left = 100; left > 0 && isAlive(pid); left -= 1) await sleep(50);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
