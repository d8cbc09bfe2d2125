import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.js';
import { createFolder } from '../support/folder.js';
import { refusal } from '../support/start-error.js';

/** docs/settings.md lists them, which settings.test.ts compares with the code. */
const defaults = readConfig({});

it('an empty variable counts as unset, and others are ignored', () => {
  expect(readConfig({ PATH: '/bin', PORTS: 'many', PORT: '', DATABASE_URL: '', TRUST_PROXY: '' })).toEqual(defaults);
});

it.each([
  ['PORT', '0', { port: 0 }],
  ['HOST', '::', { host: '::' }],
  ['HOST', 'petstore.local', { host: 'petstore.local' }],
  ['DATA_DIR', "C:\\max's store/données #2", { dataDir: "C:\\max's store/données #2" }],
  ['BACKUP_DIRECTORY', './~', { backupDirectory: './~' }],
  ['DATABASE_STATEMENT_TIMEOUT_MS', '600000', { databaseStatementTimeoutMs: 600_000 }],
  ['MIGRATE_ON_START', 'false', { migrateOnStart: false }],
  ['BOOTSTRAP_API_KEY', '!"#$%&\'()*+,-./0123456789~', { bootstrapApiKey: '!"#$%&\'()*+,-./0123456789~' }],
  ['PUBLIC_BASE_URL', 'https://api.example.com/v1', { publicBaseUrl: 'https://api.example.com/v1' }],
  ['STAGING_BASE_URL', 'http://localhost:3000/store/v1', { stagingBaseUrl: 'http://localhost:3000/store/v1' }],
  ['CORS_ORIGINS', 'https://a.example, http://b:5173', { corsOrigins: ['https://a.example', 'http://b:5173'] }],
  ['TRUST_PROXY', 'linklocal , uniquelocal,::1', { trustProxy: ['linklocal', 'uniquelocal', '::1'] }],
  ['TRUST_PROXY', '10.0.0.0/8, fd00::/8,192.0.2.1', { trustProxy: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] }],
  ['LOG_FORMAT', 'json', { logFormat: 'json' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ...[
    'postgresql://clerk:hun%40t%2Fer%3F2%23a&b=c@db.example/petstore',
    'postgresql:///petstore?host=/run/sql&user=clerk',
    'postgres://clerk@%2Frun%2Fsql:5433/petstore?sslmode=require',
  ].map((url) => ['DATABASE_URL', url, { databaseUrl: url }] as const),
  ['DATABASE_URL', 'postgres://clerk@/store?host=/run', { databaseUrl: 'postgres://clerk@localhost/store?host=/run' }],
] as const)('%s may be %s', (name, value, change) => {
  expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...change });
});

const number = (min: number, max: number) => `must be an integer from ${min} to ${max}, not `;
const host = 'must be an IP address or a host name, such as 0.0.0.0 for all addresses, not ';
const path = 'must be a path without control characters, without quotation marks or spaces at its ends';
const baseUrl = 'must be an http or https URL that ends in /v1, without user name, password and query';
const origins = 'must be a list of origins in lower case, without user names, paths, slashes at the end or wildcards';
const proxies = 'must be a list of addresses, CIDRs or the names loopback, linklocal';
const hops = 'A number of hops would let a client that reaches the port directly choose its address';
it.each<[name: string, allowed: string, values: string[]]>([
  ['PORT', number(0, 65_535), ['-1', '65536', '80.5', '0x50', '1e3', 'http', ' 80', 'tcp://10.96.0.12:80']],
  ['HOST', host, ['http://0.0.0.0', '0.0.0.0:3000', ' ', 'a b', '[::]', '256.1.1.1']],
  ['METRICS_PORT', number(1, 65_535), ['0']],
  ['DATABASE_POOL_MAX', number(1, 1000), ['0', '1001']],
  ['MIGRATE_ON_START', 'must be one of true, false', ['yes', '1', 'TRUE', ' true']],
  ['DATA_DIR', path, ['"/srv/store"', "/srv/store'", ' ', ' /srv/store', '/srv/store\r', '/srv/\0store', '~/store']],
  ['BACKUP_DIRECTORY', path, ['s3://bucket/store', 'file:/srv/store', 'postgresql://localhost/store']],
  ['CATEGORIES_FILE', path, ['~/categories.csv']],
  ['PUBLIC_BASE_URL', baseUrl, ['a.example/v1', 'https://a', 'https://a/v1/', 'ftp://a/v1', 'https://a/v1?x']],
  ['CORS_ORIGINS', origins, ['*', 'null', 'shop.example.com', 'https://a/', 'https://a,,']],
  ['CORS_ORIGINS', origins, ['https://*.shop.example', 'https://A', 'https://a:443']],
  ['TRUST_PROXY', proxies, ['true', '*', 'proxy.example.com', '10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '::1,']],
  ['TRUST_PROXY', hops, ['0', '1', 'loopback,2']],
  ['LOG_LEVEL', 'must be one of fatal, error, warn, info, debug, trace, silent', ['verbose', 'INFO']],
  ['SHUTDOWN_GRACE_MS', number(0, 600_000), ['-1', '10s']],
])('an invalid %s is rejected: the message names the variable, the value and "%s"', (name, allowed, values) => {
  for (const value of values) {
    const { faults, message, exitCode } = refusal({ [name]: value });
    expect(faults).toEqual([expect.stringContaining(`${name} `)]);
    expect(message).toContain(allowed);
    expect(message).toContain(JSON.stringify(value.split(',').at(-1)));
    expect(exitCode).toBe(78);
  }
});

it('the metrics cannot have the port of the API', () => {
  const { faults } = refusal({ PORT: '9464', METRICS_PORT: '9464' });
  expect(faults).toEqual(['METRICS_PORT must not be the port of the API, PORT']);
});

it('the message names every invalid variable at once', () => {
  expect(refusal({ PORT: 'a', DATABASE_URL: 'c', LOG_LEVEL: 'b' }).message.split('\n')).toEqual([
    'Invalid configuration:',
    expect.stringMatching(/^ {2}PORT must be an integer /) as string,
    expect.stringMatching(/^ {2}DATABASE_URL must be a PostgreSQL URL such as postgresql:\/\/user:password@/) as string,
    expect.stringMatching(/^ {2}LOG_LEVEL must be one of /) as string,
  ]);
});

it('BACKUP_DIRECTORY is rejected with DATABASE_URL: the message names pg_dump', () => {
  const { faults, exitCode } = refusal({
    DATABASE_URL: 'postgresql://clerk@localhost/store',
    BACKUP_DIRECTORY: '/srv',
  });
  expect(faults).toEqual([expect.stringMatching(/^BACKUP_DIRECTORY is only for .* DATABASE_URL with pg_dump: /)]);
  expect(exitCode).toBe(78);
});

const encode = 'special characters in the password percent-encoded: @ as %40';
/** A database URL with a password. */
const withPassword = (rest: string) => `postgres://root:hunter2@${rest}`;

it.each([
  ['DATABASE_URL', 'mysql://root:hunter2@localhost/petstore', 'must be a PostgreSQL URL such as postgresql://'],
  ['DATABASE_URL', 'hunter2', 'must be a PostgreSQL URL'],
  ['DATABASE_URL', withPassword('localhost:99999/petstore'), 'is not valid (Invalid URL). It must be a PostgreSQL URL'],
  ['DATABASE_URL', 'postgres://root:hunter2%ff@localhost/petstore', 'is not valid (URI malformed)'],
  ['DATABASE_URL', withPassword('localhost/petstore?port=x'), 'is not valid (Invalid port: x)'],
  ['DATABASE_URL', withPassword('/petstore?host=/run&port=99999'), 'is not valid (Invalid port: 99999)'],
  ['DATABASE_URL', withPassword('a/store?sslmode=verify-ca'), 'requires specifying a CA with sslrootcert'],
  ['DATABASE_URL', withPassword('a/store?sslrootcert=/nowhere'), "no such file or directory, open '/nowhere'"],
  ...['a/hunter2', '12/hunter2', '12?hunter2', '12#hunter2', '12?sslcert=hunter2'].map((password) => [
    'DATABASE_URL',
    `postgresql://clerk:${password}@db.example:5432/petstore?sslmode=require`,
    encode,
  ]),
  ['BOOTSTRAP_API_KEY', 'hunter2', '24 or more visible ASCII characters'],
  ['BOOTSTRAP_API_KEY', 'hunter2'.repeat(5).concat('ä'), '24 or more visible ASCII characters'],
  ['BOOTSTRAP_API_KEY', 'hunter2hunter2hunter2hunter2', 'at least 10 of them distinct'],
  ['CORS_ORIGINS', 'https://root:hunter2@shop.example.com', origins],
  ['PUBLIC_BASE_URL', 'https://root:hunter2@api.example.com/v1', baseUrl],
  ['STAGING_BASE_URL', 'root:hun@hunter2@api.example.com/v1', 'not "…@api.example.com/v1"'],
  ['PORT', 'https://root:hunter2@api.example.com', 'must be an integer'],
  ['BACKUP_DIRECTORY', 'sftp://root:hunter2@nas/backups', path],
  ['DATABASE_URL_FILE', withPassword('localhost/petstore'), 'cannot read the file of DATABASE_URL_FILE: ENOENT'],
  ['BOOTSTRAP_API_KEY_FILE', '"psk_hunter2-hunter2-hunter2"', 'cannot read the file of BOOTSTRAP_API_KEY_FILE: ENOENT'],
])('an invalid secret is named and explained, but never shown: %s (%#)', (name = '', value = '', why = '') => {
  const { message, exitCode } = refusal({ [name]: value });
  expect(message).toContain(name);
  expect(message).toContain(why);
  expect(message).not.toContain('hunter2');
  expect(exitCode).toBe(78);
});

it('a secret can be in a file instead, which has a text', async () => {
  const url = 'postgresql://user:password@localhost:5432/petstore';
  const file = join(await createFolder(), 'secret');
  // Notepad writes files in this form.
  await writeFile(file, `\uFEFF${url}\r\n`);
  expect(readConfig({ DATABASE_URL_FILE: file })).toMatchObject({ databaseUrl: url });
  expect(refusal({ DATABASE_URL: url, DATABASE_URL_FILE: file }).faults).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set. Set one of them',
  ]);
  await writeFile(file, '\n');
  expect(refusal({ BOOTSTRAP_API_KEY_FILE: file }).faults).toEqual([
    'BOOTSTRAP_API_KEY is missing: the file of BOOTSTRAP_API_KEY_FILE is empty',
  ]);
});
