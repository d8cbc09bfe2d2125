import { Cleanup } from '@petstore/processes/cleanup.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { runProgram } from '@petstore/processes/program.js';
import { expect, it, onTestFinished } from 'vitest';

const counted = `SELECT status::text, sum(pets)::int AS pets FROM pet_count GROUP BY status ORDER BY status`;

it('a subscriber to pet and pet_count has all animals and exact totals', async () => {
  const cleanup = new Cleanup();
  onTestFinished(() => cleanup.run());
  const server = await PostgresServer.start(cleanup, ['wal_level = logical', 'fsync = off']);
  await server.createDatabase('subscriber');
  for (const url of [server.url(), server.url('subscriber')]) {
    expect(await runProgram('manage.js', ['migration', 'apply'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  }
  await server.query(`INSERT INTO pet (name, category_id) SELECT 'Early', 1 FROM generate_series(1, 20)`);
  await server.query('CREATE PUBLICATION pets FOR TABLE pet, pet_count');
  // In one server, a subscription that creates its slot would wait for itself.
  await server.query(`SELECT pg_create_logical_replication_slot('pets', 'pgoutput')`);
  const { searchParams, username } = new URL(server.url());
  const connection = `host=${searchParams.get('host')} user=${searchParams.get('user') ?? username} dbname=petstore`;
  await server.query(
    `CREATE SUBSCRIPTION pets CONNECTION '${connection}' PUBLICATION pets WITH (create_slot = false, slot_name = 'pets')`,
    'subscriber',
  );
  await server.query(`INSERT INTO pet (name, category_id, status) VALUES ('Last', 1, 'sold')`);
  await server.query(`DELETE FROM pet WHERE id <= 5`);
  const totals = [
    { status: 'available', pets: 15 },
    { status: 'sold', pets: 1 },
  ];
  await expect.poll(() => server.query(counted, 'subscriber')).toEqual(totals);
  // The tables are copied independently.
  await expect.poll(() => server.query('SELECT FROM pet', 'subscriber')).toHaveLength(16);
  await server.query('ALTER SUBSCRIPTION pets DISABLE', 'subscriber');
  await server.query('ALTER SUBSCRIPTION pets SET (slot_name = NONE)', 'subscriber');
  await server.query('DROP SUBSCRIPTION pets', 'subscriber');
});
