import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fromRoot } from '../../workspace.mjs';

const fakeNpm = `echo "npm $1" >> calls
cd scripts/bootstrap && mkdir -p node_modules/.bin
cp ../../bin/pnpm node_modules/.bin/pnpm && cp package-lock.json node_modules/.package-lock.json`;

const fakePnpm = `echo "pnpm $*" >> calls
mkdir -p node_modules/.bin apps/api/src/platform/database/generated bench/src/peers/starter/generated`;

/** A copy of the commands in a repository of one package, with an npm and a pnpm that record how they are called. */
export class Repository {
  root = mkdtempSync(join(tmpdir(), 'petstore-scripts-'));
  // The NODE_PATH of this test leads back to its own workspace.
  env = { ...process.env, NODE_PATH: '', PATH: [this.path('bin'), process.env['PATH']].join(delimiter) };

  constructor() {
    mkdirSync(this.path('bin'));
    for (const folder of ['packages/one', 'apps/api']) mkdirSync(this.path(folder), { recursive: true });
    cpSync(fromRoot('scripts'), this.path('scripts'), {
      recursive: true,
      filter: (path) => !/\/(node_modules|reports)$/.test(path),
    });
    this.write('package.json', '{ "packageManager": "pnpm@1.2.3" }');
    this.write('packages/one/package.json', '{}');
    this.write('pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    this.write('pnpm-lock.yaml', '');
    this.write('apps/api/generate-prisma-client.mjs', '');
    this.program('bin/npm', fakeNpm);
    this.program('bin/pnpm', fakePnpm);
  }

  path(file) {
    return join(this.root, file);
  }

  write(file, content) {
    writeFileSync(this.path(file), content);
  }

  program(file, script) {
    this.write(file, `#!/bin/sh\n${script}\n`);
    chmodSync(this.path(file), 0o755);
  }

  /** Runs the install step. */
  async install(scope = 'development') {
    const code = `import('./scripts/install.mjs').then(({ install }) => install('${scope}'))`;
    const child = spawn(process.execPath, ['-e', code], {
      cwd: this.root,
      env: this.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { status: child.exitCode, stderr };
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
