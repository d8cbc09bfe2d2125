import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect, execute } from '@petstore/processes/database.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { manage, runProgram } from '@petstore/processes/program.js';
import { vi } from 'vitest';
import { audit, WritingClients } from './clients/writing-clients.js';
import { drill, requireRootAnd } from './drill.js';
import { openForwardingPort } from './servers/forwarding-port.js';
import { installPgBouncer, PgBouncer } from './servers/pgbouncer.js';
import { Service } from './servers/service.js';
import { seconds, type Tally } from './tally.js';

/** As docs/postgresql.md names it. */
const role = 'petstore';
/** Fewer than the services open, so that their transactions share connections. */
const poolSize = 4;
const writers = 16;

drill(
  'two services behind PgBouncer in transaction mode, which is restarted while clients write',
  { timeout: 900_000 },
  async ({ cleanup, tally, skip }) => {
    requireRootAnd(skip, []);
    const root = await installPgBouncer({ cleanup, skip });
    const postgres = await PostgresServer.start(cleanup);
    await postgres.query(`CREATE ROLE ${role} LOGIN SUPERUSER`);
    const databaseUrl = postgres.url();
    // The embedded server listens only on a socket.
    const { port } = await openForwardingPort(cleanup, { path: join(postgres.socket, '.s.PGSQL.5432') });
    const bouncer = await PgBouncer.start({ cleanup, root, role, databasePort: port, poolSize });
    const variables = { DATABASE_URL: bouncer.url };
    await followSteps({ databaseUrl, bouncer, service: await Service.prepare(cleanup, { variables }) }, tally);
    const start = () => Service.start(cleanup, { variables });
    const services = [await start(), await start()] as const;
    const acknowledged = await restartWhileWriting(services, bouncer, tally);
    await expectSharedConnections(databaseUrl, bouncer, tally);
    await expectTimeout(databaseUrl, services[0], tally);
    const rejectedMs = await revokeKey(services);
    await audit(services[1].client(), acknowledged, tally);
    tally.note(`${poolSize} connections for two services, a revoked key was rejected after ${seconds(rejectedMs)}`);
  },
);

type Services = readonly [Service, Service];

async function restartWhileWriting(services: Services, bouncer: PgBouncer, tally: Tally) {
  const clients = new WritingClients({
    clientOf: (writer, options) => services[writer % 2 === 0 ? 0 : 1].client(options),
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

/**
 * Behind this PgBouncer, services get no notifications from PostgreSQL: they must find a revoked key by polling. Returns how
 * long the slower one accepted it, in milliseconds.
 */
async function revokeKey(services: Services): Promise<number> {
  const { id, key } = await services[0].createKey();
  await untilStatus(services[1], key, 200);
  await manage(['keys', 'revoke', String(id)], services[0].variables);
  const begin = performance.now();
  await Promise.all(services.map((service) => untilStatus(service, key, 401)));
  return performance.now() - begin;
}

/** Waits up to 5 s until the service responds with this status to the key. */
async function untilStatus(service: Service, key: string, expected: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const isExpected = async () => (await service.fetch('/v1/pets?limit=1', { headers })).status === expected;
  await vi.waitUntil(isExpected, { timeout: 5000, interval: 50 });
}

const page = fileURLToPath(new URL('../../docs/postgresql.md', import.meta.url));

interface Steps {
  databaseUrl: string;
  bouncer: PgBouncer;
  /** It has not started yet. */
  service: Service;
}

/** Follows docs/postgresql.md, and expects an error that names the step until it is done. */
async function followSteps({ databaseUrl, bouncer, service }: Steps, tally: Tally): Promise<void> {
  const migrate = ['migration', 'apply'];
  const pooled = await runProgram('manage.js', migrate, { DATABASE_URL: bouncer.url });
  tally.expect(
    pooled.code !== 0 && pooled.stderr.includes('a connection pooler such as PgBouncer'),
    `a migration through PgBouncer exited with ${pooled.code}: ${pooled.stderr}`,
  );
  await manage(migrate, { DATABASE_URL: databaseUrl });
  const code = await (await service.launch()).exited();
  tally.expect(
    code !== 0 && service.output.includes('ALTER ROLE'),
    `without the settings, the start exited with ${code}: ${service.output}`,
  );
  await execute(databaseUrl, await documentedSettings());
  await bouncer.restart();
}

async function documentedSettings(): Promise<string> {
  const statements = /### PgBouncer\n.*?```sql\n(.*?)```/s.exec(await readFile(page, 'utf8'))?.[1];
  if (statements === undefined) throw new Error('docs/postgresql.md has no settings for PgBouncer.');
  return statements;
}
