import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { createDatabase } from '@petstore/processes/database.js';
import { isolatedEnvironment } from '@petstore/processes/program.js';
import { freePort } from '@petstore/processes/server-process.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { inject } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `npm run dev` in a copy of the repository, so that edits do not touch this one. */
export class DevServer {
  /** What its terminal shows. */
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(cleanup: Cleanup): Promise<DevServer> {
    const server = new DevServer(await temporaryDirectory(cleanup), await freePort());
    const database = await cleanup.own(
      () => createDatabase(inject('databaseServerUrl')),
      (created) => created.drop(),
    );
    server.copyRepository();
    await server.run(cleanup, database.url);
    return server;
  }

  url(path: string): string {
    return `http://localhost:${this.port}${path}`;
  }

  /** Replaces a text in a source, and returns the time of the edit. */
  edit(file: string, from: string, to: string): number {
    const path = join(this.folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(path, text.replace(from, to));
    return performance.now();
  }

  /** Resolves when the terminal shows this text from now on. */
  async nextOutput(text: string): Promise<void> {
    const { length } = this.output;
    while (!this.output.slice(length).includes(text)) await sleep(20);
  }

  /** Copies the files that Git tracks or would add. */
  private copyRepository(): void {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    const files = list.toString().split('\0').filter(Boolean);
    for (const file of files) if (existsSync(join(root, file))) cpSync(join(root, file), join(this.folder, file));
  }

  private async run(cleanup: Cleanup, databaseUrl: string): Promise<void> {
    const variables = { PORT: String(this.port), DATABASE_URL: databaseUrl, BOOTSTRAP_API_KEY: apiKey };
    const env = { ...isolatedEnvironment(variables), PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
    const child = spawn('npm', ['run', 'dev'], { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.output += String(chunk)));
    const exited = once(child, 'exit');
    await cleanup.own(
      () => this.ready(),
      () => child.kill('SIGTERM') && exited,
    );
  }

  /** The first start installs the packages. */
  private async ready(): Promise<void> {
    for (let seconds = 0; seconds < 300; seconds += 1) {
      const response = await fetch(this.url('/readyz')).catch(() => undefined);
      if (response?.ok) return;
      await sleep(1000);
    }
    throw new Error(`npm run dev did not serve within 5 minutes:\n${this.output}`);
  }
}
