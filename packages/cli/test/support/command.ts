import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';

export const program = fileURLToPath(new URL('../../dist/petstore.js', import.meta.url));

/** The last line of an error about the use of the command. */
export const documentation = `Documentation: ${fileURLToPath(new URL('../../README.md', import.meta.url))}\n`;

/** A directory for the files of the tests. `folder.setup.ts` creates it for each test file and then deletes it. */
export const folder = join(tmpdir(), `petstore-command-${randomBytes(6).toString('hex')}`);

interface RunOptions {
  /** Replaces the address and the key of the test service. */
  variables?: Record<string, string>;
  input?: string | Uint8Array;
}

/** The environment of a command: the test service, and a home directory without a login. */
export function environment(variables?: Record<string, string>): Record<string, string> {
  const { PATH = '' } = process.env;
  const service = { PETSTORE_URL: inject('serviceUrl'), PETSTORE_API_KEY: inject('apiKey') };
  return { PATH, HOME: folder, TERM: 'xterm', ...(variables ?? service) };
}

export function start(args: readonly string[], variables?: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [program, ...args], { cwd: folder, env: environment(variables) });
}

/** Runs the command through pipes. */
export async function run(args: readonly string[], { variables, input }: RunOptions = {}) {
  const child = start(args, variables);
  child.stdin?.end(input);
  return finish(child);
}

/** Waits until a command has ended. */
export async function finish(child: ChildProcess) {
  // Not `text`, which drops a byte order mark.
  const read = async (stream: ChildProcess['stdout']) => (stream ? String(await buffer(stream)) : '');
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code: child.exitCode };
}

/** Runs the command in a terminal, by the program `script` of util-linux. Returns everything that the terminal received. */
export async function runInTerminal(
  args: readonly string[],
  { variables, input = '', columns = 80 }: RunOptions & { columns?: number } = {},
) {
  const command = [process.execPath, program, ...args].map((part) => `'${part}'`).join(' ');
  const line = `stty columns ${columns} && ${command}`;
  const env = { ...environment(variables), SHELL: '/bin/sh' };
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: folder, env });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += String(chunk);
    // Types when it is asked.
    if (input && screen.includes(': ')) child.stdin.end(input);
  });
  await once(child, 'close');
  return { screen, code: child.exitCode };
}

/** Matches a text that contains this one. */
export function containing(text: string): string {
  return expect.stringContaining(text) as string;
}

/** Writes a file in the folder of the tests and returns its name. */
export function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

/** The content of a CSV file with animals of a category. */
export function csvOf(categoryId: bigint, names: readonly string[]): string {
  return ['name,categoryId', ...names.map((name) => `${name},${categoryId}`), ''].join('\n');
}

/** Different names. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Rex ${index}`);
}

/** Returns a category that no other test uses. */
export function newCategory(): bigint {
  return randomBytes(8).readBigInt64LE();
}
