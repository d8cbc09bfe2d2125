import { setTimeout as sleep } from 'node:timers/promises';
import { connect, execute } from '@petstore/processes/database.js';
import { audit } from './clients/audit.js';
import { at, postEqually, readElsewhere } from './clients/several-services.js';
import { WritingClients } from './clients/writing-clients.js';
import { requireRootAnd } from './container/requirements.js';
import { drill } from './drill.js';
import { expectRejectedSoon } from './keys/revoked-keys.js';
import { followSteps } from './pgbouncer/documented-steps.js';
import { installPgBouncer } from './pgbouncer/install-pgbouncer.js';
import { PgBouncer } from './pgbouncer/pgbouncer.js';
import { Service } from './servers/service.js';
import { SystemPostgres } from './servers/system-postgres.js';
import { seconds, type Tally } from './tally.js';

/** Fewer than the services open, so that their transactions share connections. */
const poolSize = 4;
const writers = 16;

drill(
  'two services behind PgBouncer in transaction mode, which is restarted while clients write',
  { timeout: 900_000 },
  async ({ cleanup, isQuick, tally, skip }) => {
    requireRootAnd(skip, []);
    const postgres = await SystemPostgres.start({ cleanup, skip });
    const root = await installPgBouncer({ cleanup, skip });
    const databaseUrl = await postgres.createDatabase('petstore');
    const bouncer = await PgBouncer.start({ cleanup, root, databaseUrl, poolSize });
    const variables = { DATABASE_URL: bouncer.url };
    await followSteps({ databaseUrl, bouncer, service: await Service.prepare(cleanup, { variables }) }, tally);
    const start = () => Service.start(cleanup, { variables });
    const services = [await start(), await start()];
    const rounds = isQuick ? 3 : 20;
    const acknowledged = new Map<string, bigint>();
    for (let round = 0; round < rounds; round += 1) await postEqually(services, acknowledged, tally);
    for (let read = 0; read < 10 * rounds; read += 1) await readElsewhere(services, acknowledged, tally);
    for (const [name, id] of await restartWhileWriting(services, bouncer, tally)) acknowledged.set(name, id);
    await expectSharedConnections(databaseUrl, bouncer, tally);
    await expectTimeout(databaseUrl, at(services, 0), tally);
    const query = <Row extends object>(sql: string) => execute<Row & Record<string, unknown>>(databaseUrl, sql);
    const rejectedMs = await expectRejectedSoon(services, { query }, tally);
    await audit(at(services, 1).client(), acknowledged, tally);
    tally.note(`${poolSize} connections for two services, revoked keys rejected after ${seconds(rejectedMs)}`);
  },
);

async function restartWhileWriting(services: Service[], bouncer: PgBouncer, tally: Tally) {
  const clients = new WritingClients({
    clientOf: (writer, options) => at(services, writer).client(options),
    writers,
    tally,
  });
  await sleep(1000);
  await bouncer.restart();
  await clients.nextAcknowledged();
  await sleep(1000);
  return clients.finish();
}

/** PgBouncer prepares each statement under its own name, once per connection to the server. */
async function expectSharedConnections(databaseUrl: string, bouncer: PgBouncer, tally: Tally): Promise<void> {
  const connections = await execute(
    databaseUrl,
    `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  tally.expect(connections.length <= poolSize, `PostgreSQL has ${connections.length} connections`);
  const statements = await execute<{ name: string }>(bouncer.url, 'SELECT name FROM pg_prepared_statements');
  tally.expect(
    statements.length > 0 && statements.every(({ name }) => name.startsWith('PGBOUNCER_')),
    `the prepared statements are ${statements.map(({ name }) => name).join(', ')}`,
  );
}

/** The lock timeout comes from ALTER ROLE. With it, a create that got 503 is not stored later: the audit checks that. */
async function expectTimeout(databaseUrl: string, service: Service, tally: Tally): Promise<void> {
  const blocker = await connect(databaseUrl);
  try {
    await blocker.query('BEGIN; LOCK TABLE pet');
    const body = JSON.stringify({ name: 'blocked', categoryId: 1 });
    const headers = { 'content-type': 'application/json' };
    const { status } = await service.fetch('/v1/pets', { method: 'POST', headers, body });
    tally.expect(status === 503, `a create that waited for a lock got ${status}`);
    await sleep(1000);
  } finally {
    await blocker.end();
  }
}
