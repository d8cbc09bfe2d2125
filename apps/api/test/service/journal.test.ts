import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { isolatedEnvironment, serviceDirectory } from '@petstore/processes/program.js';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.js';

/** Runs the service until it fails. Its output goes to a file, which JOURNAL_STREAM names as systemd names the journal. */
async function logOf(variables: Record<string, string>, journal?: string): Promise<string[]> {
  const path = join(await createFolder(), 'log');
  const file = await open(path, 'a');
  const { dev, ino } = fstatSync(file.fd, { bigint: true });
  const env = isolatedEnvironment({ JOURNAL_STREAM: journal ?? `${dev}:${ino}`, ...variables });
  const child = spawn(process.execPath, [`${serviceDirectory}main.js`], { env, stdio: ['ignore', file.fd, file.fd] });
  await once(child, 'exit');
  await file.close();
  return (await readFile(path, 'utf8')).trimEnd().split('\n');
}

const unreachable = { PORT: '0', DATABASE_URL: 'postgresql://clerk@127.0.0.1:1/petstore', DATABSE_URL: 'x' };

it('every JSON line has the priority that journald reads: 4 for a warning, 2 for the reason why the start failed', async () => {
  const lines = await logOf(unreachable);
  expect(lines.filter((line) => !/^<[24]>\{"level":\d0,/.test(line))).toEqual([]);
  expect(lines[0]).toMatch(/^<4>\{"level":40,.*DATABSE_URL has no effect/);
  expect(lines.at(-1)).toMatch(/^<2>\{"level":60,.*Cannot connect to the database/);
  expect(await logOf({ PORT: 'many' })).toEqual([expect.stringMatching(/^<2>\{"level":60,.*PORT must be/)]);
});

it.each([
  ['no journal', { journal: '' }, /^\{"level":/],
  ['text for people', { LOG_FORMAT: 'pretty' }, /^[^<]/],
])('no line of %s has a priority', async (_, { journal, ...variables }: Record<string, string>, form) => {
  for (const line of await logOf({ ...unreachable, ...variables }, journal)) expect(line).toMatch(form);
});
