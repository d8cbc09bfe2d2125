import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backupPlan } from '../../src/database-content.js';
import { writeBackup } from '../../src/platform/database/backup/write-backup.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { execute, hold } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

/** The next backup begins up to 5 s later. */
const patient = { timeout: 20_000 };

const directory = useFolder();
let service: TestService;
let backups: string;
let metricsPort: string;

beforeAll(async () => {
  backups = join(directory.path, 'scheduled');
  metricsPort = String(await freePort());
  const schedule = { BACKUP_DIRECTORY: backups, BACKUP_EVERY_MINUTES: '30', METRICS_PORT: metricsPort };
  service = (await prepareWithCluster()).with({ ...schedule, LOG_LEVEL: 'info' });
});
afterAll(() => service.remove());

const files = () => readdir(backups).catch(() => []);
const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
const backup = expect.stringMatching(/Z\.backup\.gz$/) as string;

it('BACKUP_DIRECTORY makes the service write a backup that only its owner can read, soon after its first start', async () => {
  await service.start();
  await addPet(apiOf(service), { name: 'Rex' });
  await expect.poll(() => service.output).toContain(`Backups   every 30 minutes, in ${backups}`);
  await expect.poll(files, patient).toEqual([backup]);
  const [name = ''] = await files();
  expect((await stat(join(backups, name))).mode & 0o777).toBe(0o600);
  await expect.poll(() => service.output).toContain('"event":"backup_written"');
  expect(await metrics()).toMatch(/^petstore_backup_last_success_timestamp_seconds 1\d{9}\.?\d*$/m);
  expect(await metrics()).toMatch(/^petstore_backup_interval_seconds 1800$/m);
  expect(await metrics()).toMatch(/^petstore_backup_smaller 0$/m);
});

/** Renames the backups of the service, so that the next one is due. */
async function makeDue(): Promise<void> {
  for (const name of await files()) await rename(join(backups, name), join(backups, `old-${name}`));
}

it('a backup with fewer animals than an earlier one is a warning in the log, and deletes nothing', async () => {
  const url = await service.databaseUrl();
  await writeBackup(join(backups, 'manual.backup.gz'), { url, plan: backupPlan });
  await execute(url, 'DELETE FROM pet');
  await makeDue();
  await expect.poll(() => service.output, patient).toMatch(/"level":40,.*"event":"backup_smaller".*0 instead of 1/);
  expect(await files()).toHaveLength(3);
  expect(await metrics()).toMatch(/^petstore_backup_smaller 1$/m);
});

it('a stop ends a backup in progress, which leaves no file and no error', async () => {
  const holder = await hold(await service.databaseUrl(), 'LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE');
  // PostgreSQL ends the connection.
  holder.on('error', () => undefined);
  await makeDue();
  const temporary = async () => (await files()).filter((name) => name.endsWith('.tmp'));
  await expect.poll(temporary, patient).toHaveLength(1);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(await temporary()).toEqual([]);
  expect(service.output).not.toContain('backup_failed');
});
