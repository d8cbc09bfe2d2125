import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isolatedEnvironment } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';

const repository = join(import.meta.dirname, '../../../..');

let database: ScratchDatabase;
let directory: string;
beforeAll(async () => {
  database = await createMigratedDatabase();
  directory = await mkdtemp(join(tmpdir(), 'petstore-scheduled-'));
});
afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

/** The command of the unit that the timer starts. */
async function commandOfUnit(): Promise<string> {
  const unit = await readFile(join(repository, 'deploy/systemd/petstore-backup.service'), 'utf8');
  return /^ExecStart=(.+)$/m.exec(unit)?.[1] ?? '';
}

async function commandOfCompose(): Promise<string> {
  const text = await readFile(join(repository, 'compose.yaml'), 'utf8');
  const list = /\n {2}backup:\n.+?\n {4}command: \[(.+?)\]\n/s.exec(text)?.[1] ?? '';
  return list.replaceAll(/[,']/g, '');
}

/** Runs the command with another directory for the backups. */
async function run(command: string, backups: string): Promise<void> {
  const script = command.replace(/(?<=--directory )\S+/, backups);
  const env = isolatedEnvironment({ DATABASE_URL: database.url });
  env['PATH'] = `${dirname(process.execPath)}:${env['PATH']}`;
  await promisify(execFile)('sh', ['-c', script], { cwd: repository, env });
}

describe('a scheduled backup', () => {
  it.each([
    ['of the systemd timer', commandOfUnit],
    ['of compose', commandOfCompose],
  ])('%s keeps the newest 14 backups, and deletes older ones', async (name, readCommand) => {
    const command = (await readCommand()).replace('/usr/bin/node ', 'node ');
    const backups = join(directory, name.replaceAll(' ', '-'));
    await mkdir(backups);
    const old = Array.from({ length: 15 }, (_, day) => `petstore-202001${10 + day}T030000000Z.backup.gz`);
    for (const file of old) await writeFile(join(backups, file), '');
    await run(command, backups);
    const kept = (await readdir(backups)).toSorted();
    expect(kept.slice(0, -1)).toEqual(old.slice(2));
    expect(kept).toHaveLength(14);
  });
});
