import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@petstore/test-kit/program.js';
import type { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { execute } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

const directory = useFolder();

/** The process that writes a backup has a low priority. */
const patient = { timeout: 110_000 };

let service: TestService;
let backups: string;
let metricsPort: string;
beforeAll(async () => {
  backups = join(directory.path, 'scheduled');
  metricsPort = String(await freePort());
  service = (await prepareWithCluster()).with({
    BACKUP_DIRECTORY: backups,
    BACKUP_EVERY_MINUTES: '30',
    METRICS_PORT: metricsPort,
    LOG_LEVEL: 'info',
  });
});
afterAll(() => service.remove());

const scheduled = async () => (await readdir(backups).catch(() => [])).filter((name) => name.endsWith('.gz'));
const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

it('BACKUP_DIRECTORY makes the service write a backup that only its owner can read, soon after its first start', async () => {
  await service.start();
  await addPet(apiOf(service), { name: 'Rex' });
  await expect.poll(() => service.output).toContain(`Backups   every 30 minutes, in ${backups}`);
  await expect.poll(scheduled, patient).toEqual([expect.stringMatching(/Z\.backup\.gz$/)]);
  const [name = ''] = await scheduled();
  expect((await stat(join(backups, name))).mode & 0o777).toBe(0o600);
  await expect.poll(() => service.output).toContain('backup_written');
  const began = Number(/^petstore_backup_last_success_timestamp_seconds (\S+)$/m.exec(await metrics())?.[1]);
  expect(began).toBeGreaterThan(Date.parse('2026-01-01') / 1000);
  expect(await metrics()).toMatch(/^petstore_backup_interval_seconds 1800$/m);
});

it('the service reports a backup that has less than the newest one, and deletes nothing', async () => {
  service.with({ BACKUP_KEEP: '1' });
  await execute(await service.databaseUrl(), `SELECT setval('pet_id_seq', 1, false)`);
  await service.end('SIGTERM');
  const [name = ''] = await scheduled();
  const older = 'petstore-20260102T000000000Z.backup.gz';
  await rename(join(backups, name), join(backups, older));
  service.output = '';
  await service.start();
  await expect
    .poll(() => service.output, patient)
    .toMatch(/"level":50,.*"event":"backup_smaller".*No backup was deleted/);
  expect(await scheduled()).toEqual([older, expect.stringMatching(/Z-smaller\.backup\.gz$/)]);
  expect(await metrics()).toMatch(/^petstore_backup_smaller 1$/m);
  const time = Date.parse('2026-01-02') / 1000;
  expect(await metrics()).toMatch(new RegExp(`^petstore_backup_last_success_timestamp_seconds ${time}$`, 'm'));
  await service.end('SIGTERM');
});
