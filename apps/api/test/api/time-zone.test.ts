import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMigratedDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
let service: TestApp;
beforeAll(async () => {
  database = await createMigratedDatabase();
  await execute(database.url, `ALTER DATABASE ${database.name} SET timezone TO 'America/New_York'`);
  service = await startOn(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

function create() {
  return service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': 'zone' });
}

describe('A database server in another time zone', () => {
  it('stores the correct time of each row', async () => {
    await create();
    for (const table of ['pet', 'idempotency_record', 'api_key']) {
      const query = `SELECT now() - created_at BETWEEN '0' AND interval '5 minutes' AS right FROM ${table}`;
      expect(await service.sql(query), table).toEqual([{ right: true }]);
    }
  });

  it('keeps an Idempotency-Key for 24 hours, also across an hour that daylight saving time skips', async () => {
    const start = Date.parse('2027-03-14T02:30:00Z');
    service.clock.time = new Date(start);
    await create();
    service.clock.time = new Date(start + 24 * 3_600_000 - 1);
    expect((await create()).headers.get('idempotency-replayed')).toBe('true');
    service.clock.time = new Date(start + 24 * 3_600_000);
    expect((await create()).headers.has('idempotency-replayed')).toBe(false);
  });
});
