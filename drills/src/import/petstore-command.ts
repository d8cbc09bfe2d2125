import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { residentBytes } from '@petstore/processes/process-usage.js';
import { isolatedEnvironment } from '@petstore/processes/program.js';
import { apiKey } from '@petstore/processes/service-process.js';

const program = fileURLToPath(new URL('../../../packages/cli/dist/petstore.js', import.meta.url));
const sampleMs = 200;

/** A run of the petstore command. */
export class PetstoreCommand {
  /** The maximum resident memory in bytes. */
  peakBytes = 0;
  output = '';
  private readonly begin = performance.now();
  private readonly sampling: NodeJS.Timeout;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
    this.sampling = setInterval(() => {
      this.peakBytes = Math.max(this.peakBytes, residentBytes(child.pid ?? 0));
    }, sampleMs);
  }

  static start(cleanup: Cleanup, url: string, args: readonly string[]): Promise<PetstoreCommand> {
    const env = isolatedEnvironment({ PETSTORE_URL: url, PETSTORE_API_KEY: apiKey });
    return cleanup.own(
      () => Promise.resolve(new PetstoreCommand(spawn(process.execPath, [program, ...args], { env }))),
      (command) => command.end('SIGKILL'),
    );
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Sends a signal, if one is given, and waits for the end. */
  async end(signal?: NodeJS.Signals): Promise<{ code: number | null; seconds: number }> {
    if (!this.hasEnded) {
      const closed = once(this.child, 'close');
      if (signal) this.child.kill(signal);
      await closed;
    }
    clearInterval(this.sampling);
    return { code: this.child.exitCode, seconds: (performance.now() - this.begin) / 1000 };
  }
}
