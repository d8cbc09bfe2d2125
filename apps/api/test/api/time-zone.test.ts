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

  it('keeps an Idempotency-Key for 24 hours', async () => {
    const age = (by: string) => service.sql(`UPDATE idempotency_record SET created_at = created_at - interval '${by}'`);
    await create();
    await age('23 hours 59 minutes');
    expect((await create()).headers.get('idempotency-replayed')).toBe('true');
    await age('1 minute');
    expect((await create()).headers.has('idempotency-replayed')).toBe(false);
  });
});
