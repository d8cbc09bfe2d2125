import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childrenOf } from '@petstore/processes/process-usage.js';
import { postmasterPid } from '@petstore/processes/postmaster.js';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

const entry = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Results of such a short run are not meaningful. */
const brief = ['--json', '--rounds', '1', '--seconds', '0.02', '--warmup', '0.01'];

/** The built benchmark, with its temporary files in its own directory. */
export class BenchmarkProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Starts it. The end of the test stops it. */
  static async start(...args: string[]): Promise<BenchmarkProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-test-'));
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, [entry, ...brief, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const run = new BenchmarkProcess(child, folder);
    onTestFinished(async () => {
      await run.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    });
    return run;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  async finish() {
    const ended = once(this.child, 'close');
    const [stdout, stderr] = await Promise.all(
      [this.child.stdout, this.child.stderr].map((stream) => text(stream ?? Readable.from([]))),
    );
    await ended;
    return { code: this.child.exitCode, stdout: stdout ?? '', stderr: stderr ?? '' };
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }

  /** Resolves when it has written `expected`. */
  async writes(expected: string): Promise<void> {
    const { stderr } = this.child;
    let written = '';
    while (!written.includes(expected)) written += String((await once(stderr ?? this.child, 'data'))[0]);
  }

  /** Runs a statement on one of its databases. */
  async query(database: string, sql: string): Promise<void> {
    const client = new Client({ host: join(await this.dataDirectory(), 'socket'), user: 'postgres', database });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  /** The pids of its child processes and of PostgreSQL. */
  async processes(): Promise<number[]> {
    const postmaster = await postmasterPid(join(await this.dataDirectory(), 'postgres'));
    return [...childrenOf(this.child.pid ?? 0), ...(postmaster === undefined ? [] : [postmaster])];
  }

  temporaryFiles(): Promise<string[]> {
    return readdir(this.folder);
  }

  private async dataDirectory(): Promise<string> {
    const [name = ''] = await this.temporaryFiles();
    return join(this.folder, name);
  }
}
