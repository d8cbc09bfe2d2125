import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PetsRepository } from '../../src/features/pets/pets.repository.js';
import { compactLock } from '../../src/features/pets/pets.sql.js';
import { addPet } from '../support/pets.js';
import { hold } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let second: TestApp;
beforeAll(async () => {
  // Neither compacts by itself: only what a test says.
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
/** Of one animal each. */
const inserts = (count: number) => `DO $$ BEGIN FOR n IN 1..${count} LOOP ${insert(1)}; END LOOP; END $$`;

describe('The compaction of the rows that totals are the sum of', () => {
  it('keeps totals exact while two processes do it beside creates', async () => {
    await service.sql(inserts(5000));
    const repositories = [service, second].map(({ app }) => app.get(PetsRepository));
    const creates = Array.from({ length: 200 }, () => addPet(service.api));
    const compactions = Array.from({ length: 20 }, (_, number) => repositories[number % 2]?.compactCounts());
    const between = await total();
    await Promise.all([...creates, ...compactions]);

    expect(between).toBeGreaterThanOrEqual(5000);
    expect(await total()).toBe(5200);
    expect(await countRows()).toBeLessThan(5000);
  });

  it('goes on by itself, every five seconds', async () => {
    fakeIntervals();
    const third = await startOn(service.databaseUrl);
    await service.sql(inserts(1000));
    vi.advanceTimersByTime(5000);
    await expect.poll(countRows).toBe(1);
    await third.close();

    expect(await total()).toBe(1000);
  });

  it('takes a bounded number at a time, and none while another process is at it', async () => {
    await service.sql(`
      ${insert(60_000)};
      TRUNCATE pet_count;
      INSERT INTO pet_count_untriggered SELECT 'available', 1 FROM generate_series(1, 60000)`);
    const repository = service.app.get(PetsRepository);
    const rows: number[] = [];
    const other = await hold(service.databaseUrl, `SELECT pg_advisory_xact_lock(${compactLock})`);
    await repository.compactCounts();
    rows.push(await countRows());
    await other.end();
    await repository.compactCounts();
    rows.push(await countRows());
    await repository.compactCounts();
    rows.push(await countRows());

    expect(rows).toEqual([60_000, 10_001, 1]);
    expect(await total()).toBe(60_000);
  });

  it('may still be that of the version before, which says so and writes to the table itself', async () => {
    await service.sql(inserts(200));
    await service.sql(`
      BEGIN;
      SET LOCAL petstore.recount = 'on';
      WITH gone AS (DELETE FROM pet_count RETURNING status, animals)
      INSERT INTO pet_count SELECT status, sum(animals) FROM gone GROUP BY status;
      COMMIT`);

    expect([await countRows(), await total()]).toEqual([1, 200]);
  });

  it('succeeds where each transaction is serializable, and makes no other fail', async () => {
    const database = new URL(service.databaseUrl).pathname.slice(1);
    await service.sql(`ALTER DATABASE ${database} SET default_transaction_isolation = 'serializable'`);
    const third = await startOn(service.databaseUrl);
    try {
      await service.sql(inserts(1000));
      const repository = third.app.get(PetsRepository);
      const compactions = Array.from({ length: 20 }, () => repository.compactCounts());
      await Promise.all([...compactions, ...Array.from({ length: 50 }, () => addPet(third.api)), total()]);
      await repository.compactCounts();
    } finally {
      await service.sql(`ALTER DATABASE ${database} RESET default_transaction_isolation`);
      await third.close();
    }

    expect(await total()).toBe(1050);
    expect(await countRows()).toBeLessThan(1000);
  });

  it('keeps no stopping service from refusing what is new: nobody waits for a compaction that is held up', async () => {
    fakeIntervals();
    const third = await startOn(service.databaseUrl);
    await service.sql(inserts(200));
    const lock = await hold(service.databaseUrl, 'LOCK TABLE pet_count IN ACCESS EXCLUSIVE MODE');
    vi.advanceTimersByTime(5000);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => service.sql(waiting)).toHaveLength(1);
    const closed = third.close();
    const answer = () => fetch(`${third.url}/healthz`).then(String, () => 'refused');
    // Before its statement is given up for waiting too long, after 3 s.
    await expect.poll(answer, { timeout: 2000 }).toBe('refused');
    await lock.end();
    await closed;
  });
});
