import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificate } from '@petstore/test-kit/tls-certificate.js';
import { describe, expect, it } from 'vitest';
import { findWarnings, readConfig } from '../../src/platform/config/config.js';
import { createFolder } from '../support/folder.js';
import { useDatabase } from '../support/scratch-database.js';
import { refusal, startError } from '../support/start-error.js';

const database = useDatabase();

describe('a password that is not percent-encoded', () => {
  it.each([
    'hun@ter2',
    'hun@@ter2',
    'hun/ter2',
    '12/ter2',
    '12?ter2',
    '12#ter2',
    '12/hun?ter2',
    '12/a?b=ter2',
    '@ter2',
  ])('is recognized, and no part of it is printed: %s', (password) => {
    for (const rest of ['db.example/petstore', 'db.example:5432/petstore?sslmode=require', '/petstore?host=/run/sql']) {
      const { faults, exitCode } = refusal({ DATABASE_URL: `postgresql://clerk:${password}@${rest}` });
      expect(faults).toEqual([expect.stringContaining('DATABASE_URL has an "@" that does not follow the user')]);
      expect(faults[0]).toContain('write @ as %40');
      expect(faults[0]).not.toMatch(/ter2|hun|clerk|db\.example/);
      expect(exitCode).toBe(78);
    }
  });

  it.each(['hun%40t%2Fer%3F2%23', 'a:b', 'a;b', 'a&b=c', ''])('percent-encoded, it is accepted: %s', (password) => {
    const url = `postgresql://clerk:${password}@db.example/petstore`;
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('a URL without a host', () => {
  it.each([
    ['postgresql:///petstore', 'postgresql://localhost/petstore'],
    ['postgres://clerk@/petstore', 'postgres://clerk@localhost/petstore'],
    ['postgresql://clerk:s3cret@:5433/petstore', 'postgresql://clerk:s3cret@localhost:5433/petstore'],
    ['postgresql://:5433/petstore?user=clerk', 'postgresql://localhost:5433/petstore?user=clerk'],
    ['postgresql://clerk:@/petstore?host=/run/sql', 'postgresql://clerk:@localhost/petstore?host=/run/sql'],
  ])('%s means %s', (url, complete) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(complete);
  });

  it.each([
    (socket: string, name: string) => `postgresql://postgres@/${name}?host=${socket}`,
    (socket: string, name: string) => `postgresql:///${name}?host=${socket}&user=postgres`,
    (socket: string, name: string) => `postgres://postgres:@:5432/${name}?host=${socket}`,
    (socket: string, name: string) => `postgres://postgres@${encodeURIComponent(socket)}:5432/${name}`,
  ])('connects to the socket that it names (%#)', async (urlOf) => {
    const socket = new URL(database.url).searchParams.get('host') ?? '';
    expect(await startError(urlOf(socket, database.name))).toBe('');
  });

  const nameless = ['postgresql:///', 'postgresql://clerk@', 'postgresql://clerk@/?host=/run/sql', 'postgres://:5432'];
  it.each(nameless)('and without a database is rejected: %s', (url) => {
    expect(refusal({ DATABASE_URL: url }).faults).toEqual([expect.stringContaining('must name a database')]);
  });
});

it.each([
  ['sslrootcert', 'missing.pem', 'ENOENT: no such file or directory'],
  ['sslcert', 'missing.pem', 'ENOENT: no such file or directory'],
  ['sslkey', 'folder', 'EISDIR: illegal operation on a directory'],
  ['sslrootcert', 'empty.pem', 'readable PEM file'],
  ['sslrootcert', 'key.pem', 'readable PEM file'],
  ['sslkey', 'certificate.pem', 'readable PEM file'],
])('a file of %s=%s is named: %s', async (name, file, problem) => {
  const folder = await createFolder();
  await mkdir(join(folder, 'folder'));
  await writeFile(join(folder, 'empty.pem'), '');
  await writeFile(join(folder, 'certificate.pem'), certificate);
  await writeFile(join(folder, 'key.pem'), '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n');
  const url = `postgresql://clerk:s3cret@db.example/petstore?sslmode=verify-full&${name}=${join(folder, file)}`;
  const { faults } = refusal({ DATABASE_URL: url });
  expect(faults).toEqual([expect.stringContaining(`DATABASE_URL has ${name}=${join(folder, file)}, which must be`)]);
  expect(faults[0]).toContain(problem);
  expect(faults[0]).not.toContain('s3cret');
});

it.each(['disable', 'require', 'verify-ca'])('sslrootcert=system is rejected with sslmode=%s, as by psql', (mode) => {
  const url = `postgresql://clerk@db.example/petstore?sslmode=${mode}&sslrootcert=system`;
  expect(refusal({ DATABASE_URL: url }).faults).toEqual([
    'DATABASE_URL with sslrootcert=system requires sslmode=verify-full',
  ]);
});

it.each([
  ['sslmode=verify-full&sslmode=disable', 'must not repeat the parameter sslmode'],
  ['sslmode=disable&sslmode=prefer', 'must not repeat the parameter sslmode'],
  ['host=a&host=b', 'must not repeat the parameter host'],
  ['options=-c%20search_path=public&options=-c%20search_path=shop', 'must not repeat the parameter options'],
  ['password=s3cret&password=s3cret', 'must not repeat the parameter password'],
  ...['x', '99999', '0', '-1', 'tcp://10.0.0.1:5432'].map((port) => [
    `port=${port}`,
    'must have an integer from 1 to 65535 as the parameter port',
  ]),
  ...['false', 'off', 'no', 'TRUE', 'require', ''].map((ssl) => [
    `ssl=${ssl}`,
    'must have ssl=true, or one of the sslmodes',
  ]),
  ['sslnegotiation=fast', 'must have sslnegotiation=direct or sslnegotiation=postgres'],
])('a URL with %s is rejected: %s', (query, problem) => {
  const { faults } = refusal({ DATABASE_URL: `postgresql://clerk:s3cret@/petstore?${query}` });
  expect(faults).toEqual([expect.stringContaining(`DATABASE_URL ${problem}`)]);
  expect(faults[0]).not.toContain('s3cret');
});

describe('a parameter that has no effect', () => {
  const warningsFor = (query: string) => {
    const variables = { DATABASE_URL: `postgresql://clerk:s3cret@db.example/petstore?${query}` };
    return findWarnings(variables, readConfig(variables), '24.0.0');
  };

  it.each([
    ['connection_limit=5', ['connection_limit'], 'DATABASE_POOL_MAX'],
    ['schema=store', ['schema'], 'schema public'],
    ['pgbouncer=true&pool_timeout=0', ['pgbouncer', 'pool_timeout'], 'PgBouncer'],
    ['statement_cache_size=0&socket_timeout=3', ['statement_cache_size', 'socket_timeout'], 'STATEMENT_TIMEOUT_MS'],
    ['sslaccept=strict&sslmode=require', ['sslaccept'], ''],
    ['target_session_attrs=read-write', ['target_session_attrs'], ''],
    ['connect_timeout=10&connect_timeout=20', ['connect_timeout'], ''],
  ])('gets a warning: %s', (query, names, advice) => {
    const warnings = warningsFor(query);
    expect(warnings).toEqual(
      names.map((name) => expect.stringContaining(`The parameter ${name} of DATABASE_URL has no effect.`) as string),
    );
    expect(warnings.join('\n')).toContain(advice);
  });

  const effective = ['sslmode=require', 'host=/run/sql&port=5433', 'application_name=a&options=-c work_mem=8MB'];
  it.each(effective)('is none of %s', (query) => expect(warningsFor(query)).toEqual([]));

  it('is not printed if it may be the rest of a password', () => {
    expect(warningsFor('password=hun&ter2')).toEqual(['DATABASE_URL has parameters that have no effect.']);
  });
});
