import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdempotencyRecords } from '../../src/features/pets/idempotency.js';
import { pruneLock } from '../../src/platform/database/locks.js';
import type { ApiResponse } from '../support/api.js';
import { isReplay } from '../support/pets.js';
import { execute, hold, useDatabase } from '../support/scratch-database.js';
import { startOn, useAppOn } from '../support/test-app.js';

const database = useDatabase();
// The time zone of the server must not matter.
beforeAll(async () => {
  await execute(database.url, `ALTER DATABASE ${database.name} SET timezone TO 'America/New_York'`);
});
const service = useAppOn(() => database.url);
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));
afterEach(() => {
  vi.useRealTimers();
  service.clock.time = undefined;
});

function create(name: string): Promise<ApiResponse> {
  return service.api.post('/v1/pets', { name, categoryId: 7 }, { 'idempotency-key': 'daily' });
}

/** Creates pets with idempotency records of this age. */
async function addRecords(number: number, hoursAgo: number): Promise<void> {
  await service.sql(`
    WITH created AS (INSERT INTO pet (name, category_id) SELECT 'Rex', n FROM generate_series(1, ${number}) n RETURNING id)
    INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id, created_at)
    SELECT (SELECT min(id) FROM api_key), 'key-' || id, '', id, now() - interval '${hoursAgo} hours' FROM created`);
}

/** Makes the stored records older. */
async function age(by: string): Promise<void> {
  await service.sql(`UPDATE idempotency_record SET created_at = created_at - interval '${by}'`);
}

async function count(table: string): Promise<number> {
  const [row] = await service.sql(`SELECT count(*)::int AS count FROM ${table}`);
  return Number(row?.['count']);
}

describe('an Idempotency-Key', () => {
  it('is replayed for 24 hours, then accepts a different pet', async () => {
    const first = await create('Rex');
    await age('23 hours 59 minutes');
    const replayed = await create('Rex');
    expect([replayed.status, isReplay(replayed), replayed.text]).toEqual([201, true, first.text]);
    expect((await create('Max')).status).toBe(422);
    await age('1 minute');
    const other = await create('Max');
    expect([other.status, isReplay(other)]).toEqual([201, false]);
    expect(isReplay(await create('Max'))).toBe(true);
    expect(await count('pet')).toBe(2);
  });

  it('is still replayed after the clock of a process jumps ahead by 25 hours', async () => {
    await create('Rex');
    service.clock.time = new Date(Date.now() + 25 * 3_600_000);
    expect(isReplay(await create('Rex'))).toBe(true);
    expect(await count('pet')).toBe(1);
  });
});

describe('the pruning of idempotency records', () => {
  it('deletes those older than 24 hours, in batches of at most 500, and no pet', async () => {
    await addRecords(1201, 25);
    await addRecords(3, 23);
    await service.sql('CREATE TABLE batch (size int)');
    await service.sql(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO batch SELECT count(*) FROM gone; RETURN NULL; END'`);
    await service.sql(`CREATE TRIGGER note AFTER DELETE ON idempotency_record REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note()`);
    expect(await service.app.get(IdempotencyRecords).prune()).toBe(1201);
    expect(await service.sql('SELECT size FROM batch')).toEqual([{ size: 500 }, { size: 500 }, { size: 201 }]);
    expect([await count('idempotency_record'), await count('pet')]).toEqual([3, 1204]);
  });

  it('runs every minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await startOn(database.url);
    await addRecords(3, 25);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => count('idempotency_record')).toBe(0);
  });

  it('is skipped while another process prunes', async () => {
    await addRecords(3, 25);
    const other = await hold(database.url, `SELECT pg_advisory_xact_lock(${pruneLock})`);
    expect(await service.app.get(IdempotencyRecords).prune()).toBe(0);
    await other.query('ROLLBACK');
    expect(await service.app.get(IdempotencyRecords).prune()).toBe(3);
  });
});
