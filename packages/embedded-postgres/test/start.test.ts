import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { socketDirectory } from '../src/data-directory.js';
import { type EmbeddedPostgres, embeddedPostgresUrl, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { makeDataDir, postmasterOf, query, removeDataDir, silent, temporaryDataDir } from './temporary-data-dir.js';
import { end, launchProcess, outcomeOf } from './postgres-process.js';

describe('the start of the embedded PostgreSQL', () => {
  let dataDir: string;
  const start = () => startEmbeddedPostgres({ dataDir, log: silent });

  beforeAll(async () => {
    dataDir = await makeDataDir();
  });
  afterAll(() => removeDataDir(dataDir));

  it('creates a database in an empty directory, and removes the temporary directory of a killed start', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    const abandoned = join(dataDir, 'postgres.new-0');
    await mkdir(abandoned);
    await utimes(abandoned, 0, 0);
    const postgres = await start();
    await postgres.close();
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'postgres.log', 'socket']);
  });

  it('ends when its signal aborts, also while a server does not respond', async () => {
    const server = createServer((connection) => connection.destroy()).listen(join(dataDir, 'socket/.s.PGSQL.5432'));
    onTestFinished(() => void server.close());
    const controller = new AbortController();
    const starting = startEmbeddedPostgres({ dataDir, log: silent, signal: controller.signal });
    await once(server, 'connection');
    controller.abort();
    await expect(starting).rejects.toThrow('aborted');
    expect(await postmasterOf(dataDir)).toBe(0);
  });

  it('keeps the data and the URL over the next start', async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE note AS SELECT 'kept' AS text");
    await first.close();
    expect(await postmasterOf(dataDir)).toBe(0);

    const second = await start();
    onTestFinished(() => second.close());
    expect(second.url).toBe(first.url);
    expect(await embeddedPostgresUrl(dataDir)).toBe(first.url);
    expect(await query(second.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
  });

  describe('with variables of libpq, and after a log of more than 10 MiB', () => {
    const variables = {
      PGHOST: '192.0.2.1',
      PGPORT: '1',
      PGUSER: 'other',
      PGSSLMODE: 'verify-full',
    };
    let postgres: EmbeddedPostgres;
    beforeAll(async () => {
      await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(11 * 1024 * 1024));
      const url = await embeddedPostgresUrl(dataDir);
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
      postgres = await start();
      expect(postgres.url).toBe(url);
    });
    afterAll(async () => {
      vi.unstubAllEnvs();
      await postgres.close();
    });

    it('empties the log', async () => {
      expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(10_000);
    });

    it('is durable, checked for damage, in UTF-8 and reachable by its socket only', async () => {
      const expected = {
        fsync: 'on',
        data_checksums: 'on',
        server_encoding: 'UTF8',
        timezone: 'UTC',
        listen_addresses: '',
      };
      const values = Object.keys(expected).map((name) => `current_setting('${name}') AS ${name}`);
      expect(await query(postgres.url, `SELECT ${values.join(', ')}`)).toEqual([expected]);
    });

    it('ignores the variables, and gives the service a role that owns its database and is no superuser', async () => {
      const [role] = await query(
        postgres.url,
        `SELECT rolname AS name, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
           pg_get_userbyid(datdba) AS owner FROM pg_roles, pg_database WHERE rolname = current_user
           AND datname = current_database()`,
      );
      const rights = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false };
      expect(role).toEqual({ name: 'petstore', ...rights, rolbypassrls: false, owner: 'petstore' });
      await expect(query(postgres.url, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow('permission denied');
    });
  });

  it('succeeds with a lock file that a power cut left empty', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    const postgres = await start();
    await postgres.close();
    expect(await postmasterOf(dataDir)).toBe(0);
  });
});

describe('the first start', () => {
  it('succeeds after a start that was killed while it created the database', async () => {
    const dataDir = await temporaryDataDir();
    const killed = launchProcess(dataDir);
    // initdb writes this file before the tables.
    const hasBegun = (names: string[]) => names.some((name) => /^postgres\.new.*PG_VERSION$/.test(name));
    while (!hasBegun(await readdir(dataDir, { recursive: true }).catch(() => []))) await sleep(2);
    await end(killed, 'SIGKILL');

    const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.close();
  });

  it('of two services at once succeeds for one and fails for the other', async () => {
    const dataDir = await temporaryDataDir();
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(launchProcess(dataDir))));
    const errors = outcomes.map(({ error }) => error).filter((error) => error !== '');
    expect(errors).toEqual([expect.stringMatching(/: Another service uses/)]);
  });
});

it.each([
  ['a path that is too long for a socket', 'd'.repeat(90), /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path with a comma', 'a, b', /^\/tmp\/petstore-[0-9a-f]{12}$/],
  ['a path with many special characters', `Jörg's "data" & 50%/x`, /\/x\/socket$/],
])('a data directory with %s has a private socket at its URL', async (_, name, place) => {
  const dataDir = await temporaryDataDir(name);
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  onTestFinished(() => postgres.close());
  expect(socketDirectory(dataDir)).toMatch(place);
  expect((await stat(socketDirectory(dataDir))).mode & 0o777).toBe(0o700);
  expect(await query(postgres.url, 'SELECT current_user AS who')).toEqual([{ who: 'petstore' }]);
});
