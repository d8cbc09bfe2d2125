import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PetstoreClient } from '@petstore/client';
import type { Cleanup } from '@petstore/processes/cleanup.js';
import { freePort, isReady } from '@petstore/processes/server-process.js';
import { temporaryDirectory } from '@petstore/processes/temporary-directory.js';
import { vi } from 'vitest';
import { readCommandBlocks, runsInClone } from './command-blocks.js';
import { drill, requirePrograms } from './drill.js';
import { ownProgram } from './servers/program.js';

const pages = ['install', 'keys', 'postgresql', 'backup', 'upgrade'].map((name) => `docs/${name}.md`);

drill(
  'the commands of the pages for operators, in order, in a new clone of the repository',
  { timeout: 900_000 },
  async ({ cleanup, tally, skip }) => {
    requirePrograms(skip, ['git', 'psql']);
    const clone = await Clone.start(cleanup);
    await clone.addAnimal();
    tally.acknowledged += 1;
    const blocks = (await Promise.all(pages.map((page) => readCommandBlocks(clone.path(page))))).flat();
    const tested = blocks.filter(runsInClone);
    for (const block of tested) {
      await clone.execute(block).catch((error: Error) => tally.wrong.push(`${block}${error.message}`));
    }
    tally.note(`ran ${tested.length} of ${blocks.length} command blocks in a new clone`);
  },
);

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
/** The first start installs packages and builds the service. */
const startMs = 300_000;
/** Absolute paths in the documentation. The commands get directories below a temporary one instead. */
const documentedDirectories = ['/backups', '/srv/petstore-new'];

/** A new clone of the committed repository that serves, with its own data directory and port. */
class Clone {
  private constructor(
    private readonly directory: string,
    private readonly variables: Record<string, string>,
  ) {}

  static async start(cleanup: Cleanup): Promise<Clone> {
    const directory = await temporaryDirectory(cleanup);
    for (const path of documentedDirectories) await mkdir(join(directory, path), { recursive: true });
    // An empty DATABASE_URL counts as unset.
    const settings = { DATA_DIR: join(directory, 'data'), PORT: String(await freePort()), DATABASE_URL: '' };
    const clone = new Clone(directory, { ...(process.env as Record<string, string>), ...settings });
    await run('git', ['clone', '--quiet', repository, clone.path('')]);
    // What `npm start` runs. npm itself ends at SIGTERM before the service has stopped.
    await ownProgram(cleanup, [process.execPath, clone.path('scripts/run.mjs'), 'start'], clone.variables);
    await vi.waitUntil(() => isReady(`${clone.#url}/readyz`), { timeout: startMs, interval: 200 });
    return clone;
  }

  /** The path of a file of the repository. */
  path(file: string): string {
    return join(this.directory, 'petstore', file);
  }

  /** Adds an animal with the first key. */
  async addAnimal(): Promise<void> {
    const apiKey = (await readFile(join(this.directory, 'data/first-key'), 'utf8')).trim();
    await new PetstoreClient({ baseUrl: `${this.#url}/v1`, apiKey }).createPet({ name: 'Rex', categoryId: 7n });
  }

  /** @throws Error with the output of the commands if one fails. */
  async execute(commands: string): Promise<void> {
    const script = documentedDirectories.reduce(
      (text, path) => text.replaceAll(path, join(this.directory, path)),
      commands,
    );
    const running = run('sh', ['-euc', script], { cwd: this.path(''), env: this.variables });
    running.child.stdin?.end();
    await running;
  }

  get #url(): string {
    return `http://127.0.0.1:${this.variables['PORT']}`;
  }
}
