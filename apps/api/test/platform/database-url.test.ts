import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificate } from '@petstore/processes/tls-certificate.js';
import { describe, expect, it } from 'vitest';
import { findWarnings, readConfig } from '../../src/platform/config/config.js';
import { useFolder } from '../support/folder.js';
import { refusal } from '../support/refusal.js';
import { useDatabase } from '../support/scratch-database.js';
import { startError } from '../support/start-error.js';

const database = useDatabase();
const folder = useFolder();

describe('a password that is not percent-encoded', () => {
  it.each(['hun@ter2', 'hun@@ter2', 'hun/ter2', '12?ter2', '12#ter2', '12/a?b=ter2'])(
    'is recognized, and no part of it is printed: %s',
    (password) => {
      for (const rest of [
        'db.example/petstore',
        'db.example:5432/petstore?sslmode=require',
        '/petstore?host=/run/sql',
      ]) {
        const { faults, exitCode } = refusal({ DATABASE_URL: `postgresql://clerk:${password}@${rest}` });
        expect(faults).toEqual([expect.stringContaining('DATABASE_URL has an "@" that does not follow the user')]);
        expect(faults[0]).toContain('write @ as %40');
        expect(faults[0]).not.toMatch(/ter2|hun|clerk|db\.example/);
        expect(exitCode).toBe(78);
      }
    },
  );

  it.each(['hun%40t%2Fer%3F2%23', 'a:b', 'p,w', ''])('percent-encoded, it is accepted: %s', (password) => {
    const url = `postgresql://clerk:${password}@db.example/petstore`;
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });
});

describe('a URL without a host', () => {
  it.each([
    ['postgresql:///petstore', 'postgresql://localhost/petstore'],
    ['postgresql://clerk:s3cret@:5433/petstore', 'postgresql://clerk:s3cret@localhost:5433/petstore'],
    ['postgresql://clerk:@/petstore?host=/run/sql', 'postgresql://clerk:@localhost/petstore?host=/run/sql'],
  ])('%s means %s', (url, complete) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(complete);
  });

  it.each([
    (socket: string, name: string) => `postgresql://postgres@/${name}?host=${socket}`,
    (socket: string, name: string) => `postgresql:///${name}?host=${socket}&user=postgres`,
    (socket: string, name: string) => `postgres://postgres@${encodeURIComponent(socket)}:5432/${name}`,
  ])('connects to the socket that it names (%#)', async (urlOf) => {
    const socket = new URL(database.url).searchParams.get('host') ?? '';
    expect(await startError(urlOf(socket, database.name))).toBe('');
  });
});

describe('a file of sslrootcert, sslcert or sslkey', () => {
  const urlWith = (name: string, file: string) =>
    `postgresql://clerk:s3cret@db.example/petstore?sslmode=verify-full&${name}=${join(folder.path, file)}`;

  it.each([
    ['sslrootcert', 'missing.pem', 'ENOENT: no such file or directory'],
    ['sslkey', '', 'EISDIR: illegal operation on a directory'],
    ['sslrootcert', 'empty.pem', 'readable PEM file'],
    ['sslkey', 'certificate.pem', 'readable PEM file'],
  ])('%s=%s is named: %s', async (name, file, problem) => {
    await writeFile(join(folder.path, 'empty.pem'), '');
    await writeFile(join(folder.path, 'certificate.pem'), certificate);
    const { faults } = refusal({ DATABASE_URL: urlWith(name, file) });
    expect(faults).toEqual([
      expect.stringContaining(`DATABASE_URL has ${name}=${join(folder.path, file)}, which must be`),
    ]);
    expect(faults[0]).toContain(problem);
    expect(faults[0]).not.toContain('s3cret');
  });
});

describe('sslrootcert=system', () => {
  it.each(['disable', 'verify-ca'])('is rejected with sslmode=%s, as by psql', (mode) => {
    const url = `postgresql://clerk@db.example/petstore?sslmode=${mode}&sslrootcert=system`;
    expect(refusal({ DATABASE_URL: url }).faults).toEqual([
      'DATABASE_URL with sslrootcert=system requires sslmode=verify-full',
    ]);
  });
});

describe('a parameter that has no effect', () => {
  const warningsFor = (query: string) => {
    const variables = { DATABASE_URL: `postgresql://clerk:s3cret@db.example/petstore?${query}` };
    return findWarnings(variables, readConfig(variables), '24.0.0');
  };

  it.each([
    ['connection_limit=5', ['connection_limit'], 'DATABASE_POOL_MAX'],
    ['schema=store', ['schema'], 'schema public'],
    ['statement_cache_size=0&socket_timeout=3', ['statement_cache_size', 'socket_timeout'], 'STATEMENT_TIMEOUT_MS'],
    ['target_session_attrs=read-write', ['target_session_attrs'], ''],
  ])('gets a warning: %s', (query, names, advice) => {
    const warnings = warningsFor(query);
    expect(warnings).toEqual(
      names.map((name) => expect.stringContaining(`The parameter ${name} of DATABASE_URL has no effect.`) as string),
    );
    expect(warnings.join('\n')).toContain(advice);
  });

  it('is not printed if it may be the rest of a password', () => {
    expect(warningsFor('password=hun&ter2')).toEqual(['DATABASE_URL has parameters that have no effect.']);
  });
});
