import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PetCounts } from '../../src/features/pets/pet-counts.js';
import { addPet } from '../support/pets.js';
import { hold } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let second: TestApp;
beforeAll(async () => {
  // The services do not merge periodically; the tests call the merge.
  fakeIntervals();
  service = await startTestApp();
  second = await startOn(service.databaseUrl);
  vi.useRealTimers();
});
afterAll(async () => {
  await second.close();
  await service.close();
});
beforeEach(async () => {
  await service.sql('TRUNCATE pet CASCADE');
});
afterEach(() => {
  vi.useRealTimers();
});

function fakeIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
}

async function total(): Promise<number> {
  const { headers } = await second.api.get('/v1/pets?limit=1', { prefer: 'count=exact' });
  return Number(headers.get('x-total-count'));
}

async function countRows(): Promise<number> {
  return Number((await service.sql('SELECT count(*) AS count FROM pet_count'))[0]?.['count']);
}

const insert = (count: number) =>
  `INSERT INTO pet (name, category_id) SELECT 'Rex', 1 FROM generate_series(1, ${count})`;
const insertOneByOne = (count: number) => `DO $$ BEGIN FOR n IN 1..${count} LOOP ${insert(1)}; END LOOP; END $$`;

describe('Merging pet_count', () => {
  it('keeps totals exact while two processes merge and create pets', async () => {
    await service.sql(insertOneByOne(5000));
    const merging = [service, second].map(({ app }) => app.get(PetCounts));
    const creates = Array.from({ length: 200 }, () => addPet(service.api));
    const merges = Array.from({ length: 20 }, (_, number) => merging[number % 2]?.merge());
    const during = await total();
    await Promise.all([...creates, ...merges]);

    expect(during).toBeGreaterThanOrEqual(5000);
    expect(await total()).toBe(5200);
    expect(await countRows()).toBeLessThan(5000);
  });

  it('runs every five seconds', async () => {
    fakeIntervals();
    const third = await startOn(service.databaseUrl);
    await service.sql(insertOneByOne(1000));
    vi.advanceTimersByTime(5000);
    await expect.poll(countRows).toBe(1);
    await third.close();

    expect(await total()).toBe(1000);
  });

  it('does not change 100 rows or fewer', async () => {
    await service.sql(insertOneByOne(100));
    await service.app.get(PetCounts).merge();

    expect(await countRows()).toBe(100);
  });

  it('merges at most 50,000 rows at a time, and skips rows that another process merges', async () => {
    await service.sql(`
      ${insert(60_000)};
      TRUNCATE pet_count;
      INSERT INTO pet_count (status, pets) SELECT 'available', 1 FROM generate_series(1, 60000)`);
    const counts = service.app.get(PetCounts);
    const rows: number[] = [];
    const other = await hold(service.databaseUrl, 'SELECT FROM pet_count FOR UPDATE');
    await counts.merge();
    rows.push(await countRows());
    await other.end();
    await counts.merge();
    rows.push(await countRows());
    await counts.merge();
    rows.push(await countRows());

    expect(rows).toEqual([60_000, 10_001, 1]);
    expect(await total()).toBe(60_000);
  });

  it('succeeds on a database whose transactions are serializable by default', async () => {
    const database = new URL(service.databaseUrl).pathname.slice(1);
    await service.sql(`ALTER DATABASE ${database} SET default_transaction_isolation = 'serializable'`);
    const third = await startOn(service.databaseUrl);
    try {
      await service.sql(insertOneByOne(1000));
      const counts = third.app.get(PetCounts);
      const merges = Array.from({ length: 20 }, () => counts.merge());
      await Promise.all([...merges, ...Array.from({ length: 50 }, () => addPet(third.api)), total()]);
      await counts.merge();
    } finally {
      await service.sql(`ALTER DATABASE ${database} RESET default_transaction_isolation`);
      await third.close();
    }

    expect(await total()).toBe(1050);
    expect(await countRows()).toBeLessThan(1000);
  });

  it('does not delay the shutdown while it waits for a lock', async () => {
    fakeIntervals();
    const third = await startOn(service.databaseUrl);
    await service.sql(insertOneByOne(200));
    const lock = await hold(service.databaseUrl, 'LOCK TABLE pet_count IN ACCESS EXCLUSIVE MODE');
    vi.advanceTimersByTime(5000);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => service.sql(waiting)).toHaveLength(1);
    const closed = third.close();
    const probe = () => fetch(`${third.url}/healthz`).then(String, () => 'refused');
    // The lock timeout of 3 s would end the merge.
    await expect.poll(probe).toBe('refused');
    await lock.end();
    await closed;
  });
});
