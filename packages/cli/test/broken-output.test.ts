import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { environment, file, folder, newCategory, program, run } from './support/command.js';
import { storedNames } from './support/store.js';

const command = `'${process.execPath}' '${program}'`;

/** Runs a line in bash, where `petstore` is the command. */
function bash(line: string) {
  const script = `petstore() { ${command} "$@"; }; ${line}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const count = 150;

/** Creates a file with enough animals for an export and a journal of more than 4 KiB. */
function manyAnimals(name: string, categoryId: bigint): string {
  return file(
    name,
    `name,categoryId\n${Array.from({ length: count }, (_, index) => `Rex ${index},${categoryId}\n`).join('')}`,
  );
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
  ])('ends the command with exit code 141 and no message: %j', async (args) => {
    expect(await runWithoutReader(args)).toEqual({ stderr: '', code: 141 });
  });

  it('ends an import with exit code 141, and the next run continues', async () => {
    const categoryId = newCategory();
    const name = manyAnimals('early.csv', categoryId);
    expect(await runWithoutReader(['import', name, '--json'])).toEqual({ stderr: '', code: 141 });
    expect(await run(['import', name])).toMatchObject({ stderr: '', code: 0 });
    expect(await storedNames(categoryId)).toHaveLength(count);
  });
});

describe('a full disk', () => {
  // The limit on the size of a file fails like a full disk, and needs no right to mount one.
  const limited = (line: string) => bash(`ulimit -f 4; ${line}`);
  const written = 'Error: The output cannot be written: file too large.\n';

  it('fails an export, which leaves no file', () => {
    expect(limited('petstore export limited.csv')).toEqual({ code: 1, stdout: '', stderr: written });
    expect(readdirSync(folder).filter((name) => name.startsWith('limited.csv'))).toEqual([]);
  });

  it('fails an import from standard input, and names the directory of the copy', () => {
    const name = manyAnimals('copied.csv', newCategory());
    expect(limited(`TMPDIR=/tmp; ulimit -f 1; cat ${name} | petstore import -`)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Error: The input cannot be copied to /tmp: file too large. Set TMPDIR to another directory.\n',
    });
  });

  it('fails standard output', () => {
    const stderr = 'Error: The output cannot be written: no space left on device.\n';
    expect(bash('petstore list > /dev/full')).toEqual({ code: 1, stdout: '', stderr });
  });

  it('fails an import when it writes the journal; the next run adds each animal once', async () => {
    const categoryId = newCategory();
    const name = manyAnimals('journal.csv', categoryId);
    expect(limited(`petstore import ${name}`)).toEqual({ code: 1, stdout: '', stderr: written });
    expect((await storedNames(categoryId)).length).toBeLessThan(count);
    expect(await run(['import', name])).toMatchObject({ stderr: '', code: 0 });
    expect(await storedNames(categoryId)).toHaveLength(count);
  });
});

it('A pipe is imported like standard input', async () => {
  const categoryId = newCategory();
  const name = manyAnimals('piped.csv', categoryId);
  expect(bash(`petstore import <(cat ${name})`)).toMatchObject({ stderr: '', code: 0 });
  expect(await storedNames(categoryId)).toHaveLength(count);
  expect(existsSync(join(folder, `${name}.journal`))).toBe(false);
});

it.for<[string, number, string]>([
  ["import ''", 2, "'' is invalid for argument 'file'. Name a file."],
  ['import missing.csv', 2, 'The file missing.csv does not exist.'],
  ['import .', 2, '. is a directory. Name a CSV or NDJSON file.'],
  ['import animals.csv --journal .', 2, 'The journal . is a directory. Choose a file with --journal.'],
  ['import animals.csv --journal /dev/zero', 2, 'The journal /dev/zero is a device or a pipe. Choose a file with'],
  ['import animals.csv --journal animals.csv', 2, 'animals.csv is not a journal. Choose another file with --journal.'],
  ['import animals.csv --journal missing/journal', 1, 'The journal cannot be written in missing: no such file or'],
  ['export .', 2, '. is a directory. Name a file in it.'],
  ['export pipe --force', 2, 'pipe is not a file. For standard output, use -'],
  ['export missing/animals.csv', 2, 'The directory missing does not exist.'],
  ['export animals.csv', 2, 'animals.csv exists. Use --force to replace it.'],
])('A file that cannot be used is rejected, and no file is changed: %s', ([args, code, message]) => {
  const content = 'name,categoryId\nRex,7';
  file('animals.csv', content);
  const result = bash(`[ -p pipe ] || mkfifo pipe; petstore ${args}`);
  expect(result).toEqual({ code, stdout: '', stderr: expect.stringContaining(message) as string });
  expect(readFileSync(join(folder, 'animals.csv'), 'utf8')).toBe(content);
});
