import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { Client, defaults } from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { checkVersion } from '../src/connection.js';
import { MigrationError } from '../src/migration-error.js';
import { addMigrations, migrationFolder } from './migration-folder.js';
import { emptyDatabase, migrateQuietly, query, tablesOf } from './test-database.js';

async function errorOf(url: string, directory?: string): Promise<string> {
  const error: unknown = await migrateQuietly(
    url,
    directory ?? (await migrationFolder({ '1_a': 'CREATE TABLE a ();' })),
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MigrationError);
  return (error as MigrationError).message;
}

/** A server that lets its clients wait. The timers are those of the test. */
async function unresponsiveServer(onConnection?: (socket: Socket) => void) {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port } = server.address() as { port: number };
  return { server, url: `postgresql://alice:geheim@127.0.0.1:${port}/petstore` };
}

describe('migrate rejects a database', () => {
  it('that is newer than the code and breaks it, and names the unknown migrations', async () => {
    const { url } = await emptyDatabase();
    const newer = { '1_a': 'CREATE TABLE a ();', '2_b-breaking': 'DROP TABLE a;' };
    await migrateQuietly(url, await migrationFolder(newer));
    const older = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    expect(await errorOf(url, older)).toMatch(/newer than this version.* 2_b-breaking\. Use the version/);
  });

  it.each([
    ['finished', 'now()'],
    ['failed', 'NULL'],
  ])('of another program that uses Prisma, and changes nothing: its migration is %s', async (_, finishedAt) => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder({ '20240101_users': 'CREATE TABLE users ();' }));
    await query(url, `UPDATE _prisma_migrations SET finished_at = ${finishedAt}`);
    expect(await errorOf(url)).toMatch(
      /^The database is that of another program, .* 20240101_users\. Set DATABASE_URL to/,
    );
    expect(await tablesOf(url)).toEqual(['_prisma_migrations', 'users']);
  });

  it('with unknown and missing migrations, and applies none', async () => {
    const { url } = await emptyDatabase();
    await migrateQuietly(url, await migrationFolder({ '1_a': 'CREATE TABLE a ();', '2_b': 'CREATE TABLE b ();' }));
    const other = await migrationFolder({ '1_a': 'CREATE TABLE a ();', '3_c': 'CREATE TABLE c ();' });
    expect(await errorOf(url, other)).toContain('2_b');
    expect(await tablesOf(url)).not.toContain('c');
  });

  it('with migrations that were edited after they were applied', async () => {
    const { url } = await emptyDatabase();
    const folder = await migrationFolder({ '1_a': 'CREATE TABLE a ();' });
    await migrateQuietly(url, folder);
    await addMigrations(folder, { '1_a': 'CREATE TABLE a (id int);', '2_b': 'CREATE TABLE b ();' });
    expect(await errorOf(url, folder)).toMatch(/^The migrations 1_a were edited after they were applied/);
    expect(await tablesOf(url)).not.toContain('b');
  });

  it.each([
    ['CREATE TABLE theirs ()', ['theirs']],
    ['CREATE VIEW theirs AS SELECT 1 AS one', []],
    ["CREATE TYPE theirs AS ENUM ('one')", []],
    ['CREATE SEQUENCE theirs', []],
  ])('with an object of another application: %s', async (sql, tables) => {
    const { url, name } = await emptyDatabase();
    await query(url, sql);
    const found = `The database "${name}" has tables, but no record of this service's migrations, so nothing was changed.`;
    expect(await errorOf(url)).toContain(found);
    expect(await tablesOf(url)).toEqual(tables);
  });

  it('unless its objects belong to an extension', async () => {
    const { url } = await emptyDatabase();
    await query(url, 'CREATE EXTENSION pg_stat_statements');
    expect(await migrateQuietly(url, await migrationFolder({ '1_a': 'CREATE TABLE a ();' }))).toEqual(['1_a']);
  });

  it('that does not exist', async () => {
    const url = new URL(inject('serverUrl'));
    url.pathname = '/no_such_database';
    expect(await errorOf(url.href)).toMatch(
      /"no_such_database" does not exist\. Create the database, or correct its name/,
    );
  });

  it('if the directory of the migrations does not exist', async () => {
    const { url } = await emptyDatabase();
    expect(await errorOf(url, '/nowhere/migrations')).toContain(
      'Cannot read the migrations in /nowhere/migrations: ENOENT',
    );
  });
});

it('migrate does not wait longer than 10 s for a lock on the table of the migrations, and names the table', async () => {
  const { url } = await emptyDatabase();
  await migrateQuietly(url, await migrationFolder({ '1_a': 'CREATE TABLE a ();' }));
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN; LOCK TABLE _prisma_migrations');
  expect(await errorOf(url)).toMatch(/_prisma_migrations was not readable within 10 s: another session .* lock on it/);
}, 20_000);

describe('migrate rejects a server', () => {
  it('that is older than PostgreSQL 15, and names its version', () => {
    expect(() => checkVersion('14.12 (Debian 14.12-1)')).toThrow(
      /PostgreSQL 14\.12 \(Debian 14\.12-1\), but PostgreSQL 15 or newer/,
    );
    expect(() => checkVersion('9.6.24')).toThrow(MigrationError);
  });

  it.each(['15.0', '15.18 (Debian 15.18-0+deb12u1)', '18.4', '19beta1'])(
    'unless it is PostgreSQL 15 or newer: %s',
    (version) => {
      expect(() => checkVersion(version)).not.toThrow();
    },
  );

  it('that is unreachable, without showing the password', async () => {
    const message = await errorOf('postgresql://alice:geheim@localhost:1/petstore');
    expect(message).toMatch(/"petstore" at localhost:1 as user "alice": connect ECONNREFUSED.* Start the server/);
    expect(message).not.toContain('geheim');
  });

  it('that rejects the password, without showing it', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from('5200000008 00000003'.replace(' ', ''), 'hex'));
        socket.once('data', () => socket.end(errorMessage('28P01', 'password authentication failed for user "alice"')));
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const message = await errorOf(`postgresql://alice:geheim@127.0.0.1:${port}/petstore`);
    expect(message).toMatch(
      /password authentication failed for user "alice"\. Correct the user and the password.* expired/,
    );
    expect(message).not.toContain('geheim');
  });

  it('that accepts connections and does not respond', async () => {
    const { server, url } = await unresponsiveServer();
    const error = errorOf(url);
    await once(server, 'connection');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await error).toContain('timeout expired. Start the server, or correct the host and port');
  });

  it('that is on hold behind a pooler, which lets statements wait', async () => {
    // AuthenticationOk, and ReadyForQuery.
    const accepted = Buffer.from('5200000008000000005a0000000549', 'hex');
    const { server, url } = await unresponsiveServer((socket) => socket.once('data', () => socket.write(accepted)));
    const error = errorOf(url);
    const [socket] = (await once(server, 'connection')) as [Socket];
    await once(socket, 'data');
    await once(socket, 'data');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await error).toContain('Query read timeout. Resume the server, or the connection pooler in front of it');
  });

  it.each(['petstore', '99999', '-1'])('with an invalid port, %s, also one of PGPORT', async (port) => {
    const message = 'The port in DATABASE_URL, or in PGPORT, must be an integer from 1 to 65535.';
    expect(await errorOf(`postgresql://alice:geheim@localhost/petstore?port=${port}`)).toBe(message);
    vi.stubEnv('PGPORT', port);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await errorOf('postgresql://alice:geheim@localhost/petstore')).toBe(message);
  });

  it.each(['ALTER ROLE alice CONNECTION LIMIT 0', 'ALTER DATABASE $ CONNECTION LIMIT 0'])(
    'that allows no more connections, and names the limit of %s',
    async (statement) => {
      const { url, name } = await emptyDatabase();
      await query(url, 'CREATE ROLE alice LOGIN');
      onTestFinished(async () => void (await query(inject('serverUrl'), 'DROP ROLE alice')));
      await query(url, statement.replace('$', name));
      const limited = new URL(url);
      limited.username = 'alice';
      expect(await errorOf(limited.href)).toMatch(
        /too many connections for .* CONNECTION LIMIT of the role or database/,
      );
    },
  );

  it('with a URL without a user', async () => {
    const { user } = defaults;
    onTestFinished(() => void Object.assign(defaults, { user }));
    Object.assign(defaults, { user: undefined });
    expect(await errorOf('postgresql://127.0.0.1:5432/petstore')).toBe(
      'DATABASE_URL has no user. The format is postgresql://user:password@host:5432/database.',
    );
  });

  it('with an invalid URL, without showing it', async () => {
    expect(await errorOf('postgresql://alice:geheim@[')).toBe(
      'DATABASE_URL is not valid. The format is postgresql://user:password@host:5432/database.',
    );
  });
});

/** An ErrorResponse of PostgreSQL's protocol. */
function errorMessage(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${text}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
