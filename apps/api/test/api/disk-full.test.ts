import { rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { IdempotencyPruning } from '../../src/features/pets/idempotency-pruning.js';
import { expectError } from '../support/expect-error.js';
import { useFolder } from '../support/folder.js';
import { execute, useDatabase } from '../support/scratch-database.js';
import { useAppOn } from '../support/test-app.js';

// The file system /proc never has free space.
const [full, free] = ['/proc', tmpdir()];

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await execute(database.url, `INSERT INTO pet (name, category_id) VALUES ('Rex', 7)`);
  await symlink(full, join(folder.path, 'data'));
});
const service = useAppOn(
  () => database.url,
  () => ({ dataDirectory: join(folder.path, 'data') }),
);

const newPet = { name: 'Max', categoryId: 7 };
const events = () =>
  service.logged.flatMap(({ event, level }) => (String(event).startsWith('disk_') ? [{ event, level }] : []));

describe('a full disk of the embedded database', () => {
  it('makes creates 503 with Retry-After, with and without an idempotency key', async () => {
    for (const headers of [{}, { 'idempotency-key': 'one' }]) {
      const response = await service.api.post('/v1/pets', newPet, headers);
      expect(expectError(response, 'service_unavailable')).toBe(
        'The disk of the database is full. Reads work. Creates work again when space is free.',
      );
      expect(response.headers.get('retry-after')).toBe('5');
    }
    expect(await service.sql('SELECT FROM idempotency_record')).toEqual([]);
  });

  it.each(['/v1/pets', '/v1/pets/1', '/categories.json', '/key.json', '/readyz'])('leaves GET %s 200', async (path) => {
    expect((await service.api.get(path)).status).toBe(200);
  });

  it('stops the pruning of idempotency records', async () => {
    await service.sql(
      `INSERT INTO idempotency_record SELECT api_key.id, 'old', pet.id, now() - interval '2 days' FROM pet, api_key LIMIT 1`,
    );
    expect(await service.app.get(IdempotencyPruning).prune()).toBe(0);
  });

  it('is logged once, and creates work again when there is space', async () => {
    const onFull = { event: 'disk_full', level: 50 };
    expect(events()).toEqual([onFull]);
    await rm(join(folder.path, 'data'));
    await symlink(free, join(folder.path, 'data'));
    await expect.poll(async () => (await service.api.post('/v1/pets', newPet)).status).toBe(201);
    expect(events()).toEqual([onFull, { event: 'disk_free', level: 30 }]);
    expect(await service.app.get(IdempotencyPruning).prune()).toBe(1);
  });
});
