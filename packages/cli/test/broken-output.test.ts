import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { csvOf, environment, file, folder, newCategory, numbered, program, run } from './support/command.js';
import { storedNames } from './support/store.js';

const command = `'${process.execPath}' '${program}'`;

/** Runs a line in bash, where `petstore` is the command. */
function bash(line: string) {
  const script = `petstore() { ${command} "$@"; }; ${line}`;
  const options = { cwd: folder, env: environment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], options);
  return { code: status, stdout, stderr };
}

const count = 150;

/** Creates a file with enough animals for an export of more than 4 KiB. */
function manyAnimals(name: string, categoryId: bigint): string {
  return file(name, csvOf(categoryId, numbered(count)));
}

/** Runs the command after the reader of its standard output has ended. */
async function runWithoutReader(args: readonly string[]) {
  const line = ['-c', 'read _; exec "$@"', 'sh', process.execPath, program, ...args];
  const child = spawn('sh', line, { cwd: folder, env: environment() });
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end('\n');
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { stderr, code: child.exitCode };
}

beforeAll(() => run(['import', manyAnimals('stored.csv', newCategory())]));

describe('a reader that has ended', () => {
  it.for([
    ['list', '--json'],
    ['export', '-'],
    ['export', '-', '--format', 'ndjson'],
  ])('ends the command with exit code 141 and no message: %j', async (args) => {
    expect(await runWithoutReader(args)).toEqual({ stderr: '', code: 141 });
  });

  it('ends an import with exit code 141, and --skip-existing completes it', async () => {
    const categoryId = newCategory();
    const name = manyAnimals('early.csv', categoryId);
    expect(await runWithoutReader(['import', name, '--json'])).toEqual({ stderr: '', code: 141 });
    expect(await run(['import', name, '--skip-existing'])).toMatchObject({ stderr: '', code: 0 });
    expect(await storedNames(categoryId)).toHaveLength(count);
  });
});

describe('a full disk', () => {
  // The limit on the size of a file fails like a full disk, and needs no right to mount one.
  const limited = (line: string) => bash(`ulimit -f 4; ${line}`);
  const failure = (message: string) => ({ code: 1, stdout: '', stderr: `Error: ${message}\n` });
  const tooLarge = failure('The output cannot be written: the file is larger than the system allows.');

  it('fails an export, which leaves no file', async () => {
    expect(limited('petstore export limited.csv')).toEqual(tooLarge);
    expect(readdirSync(folder).filter((name) => name.startsWith('limited.csv'))).toEqual([]);
  });

  it('fails standard output', () => {
    expect(bash('petstore list > /dev/full')).toEqual(failure('The output cannot be written: the disk is full.'));
  });
});

describe('a pipe as a file', () => {
  it('is imported like standard input', async () => {
    const categoryId = newCategory();
    const name = manyAnimals('piped.csv', categoryId);
    expect(bash(`petstore import <(cat ${name})`)).toMatchObject({ stderr: '', code: 0 });
    expect(await storedNames(categoryId)).toHaveLength(count);
  });
});
