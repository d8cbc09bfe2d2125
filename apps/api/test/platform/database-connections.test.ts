import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { certificate, privateKey } from '@petstore/test-kit/tls-certificate.js';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { isDatabaseUnavailable, retryAtStart } from '../../src/platform/database/database-error.js';
import { DatabasePool } from '../../src/platform/database/pool.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { DatabaseLink } from '../support/database-link.js';
import { createFolder } from '../support/folder.js';
import { createTestDatabase, execute, type ScratchDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

let database: ScratchDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

function openPool(url: string): DatabasePool {
  const pool = new DatabasePool(url, { databasePoolMax: 1, databaseStatementTimeoutMs: 500 }, new Metrics());
  onTestFinished(() => pool.end());
  return pool;
}

describe('a pooled connection', () => {
  it('is closed and replaced when the server stops responding', async () => {
    const link = await DatabaseLink.to(database.url);
    onTestFinished(() => link.cut());
    const pool = openPool(link.url);
    const backendPid = async () => {
      const text = 'SELECT pg_backend_pid() AS pid';
      return (await pool.query<{ pid: number }>({ name: text, text })).rows[0]?.pid;
    };
    // A new connection has only 500 ms: on a busy machine, the first attempts may fail.
    const pidOnceConnected = () => vi.waitFor(backendPid, { timeout: 50_000 });
    const before = await pidOnceConnected();
    link.delayMs = 60_000;
    const error = await backendPid().catch((caught: unknown) => caught);
    expect(String(error)).toContain('no response from the database within 1000 ms');
    expect(isDatabaseUnavailable(error)).toBe(true);
    link.delayMs = 0;
    expect(await pidOnceConnected()).not.toBe(before);
  });

  it('keeps the settings of the URL next to its own ones, which win', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=8MB -c TimeZone=Asia/Tokyo');
    url.searchParams.set('lock_timeout', '0');
    url.searchParams.set('statement_timeout', '60000');
    const expected = { lock_timeout: '2s', statement_timeout: '500ms', timezone: 'UTC', work_mem: '8MB' };
    const values = Object.keys(expected).map((name) => `current_setting('${name}') AS ${name}`);
    expect((await openPool(url.href).query(`SELECT ${values.join(', ')}`)).rows).toEqual([expected]);
  });
});

it.each(['EAI_AGAIN', 'ENETUNREACH'])('the error %s of a connection means that the database is unavailable', (code) => {
  const cause = Object.assign(new Error(`getaddrinfo ${code} database`), { code });
  expect(isDatabaseUnavailable(new Error('Invalid `prisma.apiKey.findMany()` invocation', { cause }))).toBe(true);
});

it('a start that finds the database unavailable for 60 s names the cause', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_001);
  onTestFinished(() => now.mockRestore());
  const unreachable = `Can't reach database server at 127.0.0.1:5432`;
  const error = Object.assign(
    new Error(`\nInvalid \`prisma.apiKey.findMany()\` invocation in\nkeys.ts:32\n\n${unreachable}`),
    {
      // The driver adapter's own message is its kind.
      meta: { driverAdapterError: { message: 'DatabaseNotReachable', cause: { kind: 'DatabaseNotReachable' } } },
    },
  );
  await expect(retryAtStart(() => Promise.reject(error))).rejects.toThrow(
    `The database is not available: ${unreachable}. Check its server and its locks, then try again.`,
  );
});

it('a database with another encoding than UTF8 is refused, with the statement that creates a right one', async () => {
  const server = inject('serverUrl');
  const [latin, utf8] = ['shop_latin1', 'shop_utf8'] as const;
  onTestFinished(async () => {
    for (const name of [latin, utf8]) await execute(server, `DROP DATABASE IF EXISTS ${name}`);
  });
  await execute(
    server,
    `CREATE DATABASE ${latin} ENCODING 'LATIN1' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  const error = await startError(withName(server, latin));
  expect(error).toContain(`The database "${latin}" has the encoding LATIN1, but UTF8 is required.`);
  const [statement = ''] = /CREATE DATABASE .*;/.exec(error) ?? [];
  await execute(server, statement.replace('NAME', utf8));
  expect(await startError(withName(server, utf8))).toBe('');
});

function withName(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database server with TLS: forwards connections to a server without. Returns its URL. */
async function startTlsLink(databaseUrl: string): Promise<URL> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get('host') ?? '';
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    // The request for TLS; the response S accepts it.
    socket.once('data', () => {
      socket.write('S');
      const client = new TLSSocket(socket, { isServer: true, key: privateKey, cert: certificate });
      const upstream = connect(`${folder}/.s.PGSQL.5432`);
      sockets.push(socket, upstream);
      for (const end of [client, upstream, socket]) end.on('error', () => socket.destroy());
      client.pipe(upstream).pipe(client);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  target.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  target.searchParams.delete('host');
  return target;
}

it.each([
  ['sslmode=require', false, ''],
  ['sslmode=verify-full', true, 'does not match certificate'],
])('%s with a file as sslrootcert: %s; connects as psql does: "%s"', async (query, hasRoot, expected) => {
  const warn = vi.spyOn(process, 'emitWarning');
  onTestFinished(() => warn.mockRestore());
  const url = await startTlsLink(database.url);
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  const root = join(await createFolder(), 'root.crt');
  await writeFile(root, certificate);
  if (hasRoot) url.searchParams.set('sslrootcert', root);
  const error = await startError(url.href);
  if (expected === '') expect(error).toBe('');
  else expect(error).toContain(expected);
  expect(warn).not.toHaveBeenCalled();
});
