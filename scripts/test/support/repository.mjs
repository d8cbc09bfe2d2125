import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fromRoot } from '../../workspace.mjs';

/** A repository of one package beside these commands, with an npx and a pnpm that only take notes. */
export class Repository {
  root = mkdtempSync(join(tmpdir(), 'petstore-scripts-'));
  // The programs of this workspace come with a NODE_PATH that leads back to it.
  env = { ...process.env, NODE_PATH: '', PATH: [this.path('bin'), process.env['PATH']].join(delimiter) };

  constructor() {
    mkdirSync(this.path('bin'));
    mkdirSync(this.path('packages/one/node_modules'), { recursive: true });
    mkdirSync(this.path('node_modules'));
    cpSync(fromRoot('scripts'), this.path('scripts'), {
      recursive: true,
      filter: (path) => !/\/(node_modules|reports)$/.test(path),
    });
    this.write('package.json', '{ "packageManager": "pnpm@1.2.3" }');
    this.write('packages/one/package.json', '{}');
    this.write('pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    this.write('pnpm-lock.yaml', '');
    this.write('.npmrc', '');
    this.program('bin/npx', 'echo "npx $*" | cut -c1-9 >> notes; echo PATH=$PATH');
    this.program('bin/pnpm', 'echo "pnpm $*" >> notes');
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

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}
