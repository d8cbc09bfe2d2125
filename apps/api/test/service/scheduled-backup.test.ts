import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isolatedEnvironment, runProgram } from '@petstore/processes/program.js';
import { freePort } from '@petstore/processes/server-process.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPet } from '../support/pets.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { TestService } from '../support/test-service.js';

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

describe('the backup of compose', () => {
  it('keeps the newest 14 backups, and deletes older ones and what killed backups left', async () => {
    const old = Array.from({ length: 15 }, (_, day) => `petstore-202001${10 + day}T030000000Z.backup.gz`);
    for (const file of old) await writeFile(join(directory, file), '');
    const killed = join(directory, 'petstore-20200101T030000000Z.backup.gz.7.tmp');
    await writeFile(killed, '');
    await utimes(killed, 1, 1);
    await run(await commandOfCompose(), directory);
    const kept = (await readdir(directory)).toSorted();
    expect(kept.slice(0, -1)).toEqual(old.slice(2));
    expect(kept).toHaveLength(14);
  });
});

describe('BACKUP_DIRECTORY', () => {
  let service: TestService;
  let backups: string;
  let metricsPort: string;
  beforeAll(async () => {
    backups = join(directory, 'scheduled');
    metricsPort = String(await freePort());
    service = (await TestService.prepare()).with({
      BACKUP_DIRECTORY: backups,
      BACKUP_EVERY_MINUTES: '30',
      METRICS_PORT: metricsPort,
      LOG_LEVEL: 'info',
    });
  });
  afterAll(() => service.remove());

  const scheduled = async () =>
    (await readdir(backups).catch(() => [])).filter((name) => name.startsWith('scheduled-'));
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  it('makes the service write a backup that only its owner can read, soon after its first start', async () => {
    await service.start();
    await addPet(service.api, { name: 'Rex' });
    await expect.poll(() => service.output).toContain(`Backups   every 30 minutes, in ${backups}`);
    await expect.poll(scheduled).toEqual([expect.stringMatching(/Z\.backup\.gz$/)]);
    const [name = ''] = await scheduled();
    expect((await stat(join(backups, name))).mode & 0o777).toBe(0o600);
    await expect.poll(() => service.output).toContain('backup_written');
    const began = Number(/^petstore_backup_last_success_timestamp_seconds (\S+)$/m.exec(await metrics())?.[1]);
    expect(Math.abs(Date.now() / 1000 - began)).toBeLessThan(60);
    expect(await metrics()).toMatch(/^petstore_backup_interval_seconds 1800$/m);
  });

  it('has the next backup due by the age of the newest file, and is written by one process of several', async () => {
    const [first = ''] = await scheduled();
    await service.end('SIGTERM');
    await rename(join(backups, first), join(backups, 'scheduled-20260101T000000000Z.backup.gz'));
    service.output = '';
    await service.with({ WEB_CONCURRENCY: '2' }).start();
    await expect.poll(() => service.output).toContain('backup_written');
    // Another process would write one at the same time.
    await sleep(500);
    expect(await scheduled()).toHaveLength(2);
    await expect.poll(metrics).toMatch(/^petstore_backup_last_success_timestamp_seconds [1-9]/m);
    await service.end('SIGTERM');
  });

  it('reports a backup that fails, and the service continues', async () => {
    const full = join(directory, 'full');
    await mkdir(full);
    // The next backup is probably as large, and the disk has less space.
    const large = join(full, 'scheduled-20260101T000000000Z.backup.gz');
    await writeFile(large, '');
    await truncate(large, 8e12);
    service.with({ WEB_CONCURRENCY: '1', BACKUP_DIRECTORY: full });
    await service.start();
    await expect.poll(() => service.output).toMatch(/The scheduled backup failed: No backup was written/);
    expect(await metrics()).toMatch(/^petstore_backup_failures_total 1$/m);
    expect((await service.api.get('/v1/pets')).status).toBe(200);
    await service.end('SIGTERM');
  });

  it.each([
    ['a device', '/dev/null'],
    ['a file', import.meta.filename],
    ['below a file', join(import.meta.filename, 'backups')],
  ])('that is %s prevents the start, with exit code 78', async (_what, path) => {
    const variables = { ...service.variables, LOG_FORMAT: 'pretty', BACKUP_DIRECTORY: path };
    const { code, stderr } = await runProgram('main.js', [], variables);
    expect([code, stderr]).toEqual([78, expect.stringMatching(/BACKUP_DIRECTORY: .+ is not a directory\n$/)]);
  });
});
