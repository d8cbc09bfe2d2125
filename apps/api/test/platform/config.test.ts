import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Config, readConfig } from '../../src/platform/config/config.js';
import { refusal } from '../support/refusal.js';

const defaults: Config = {
  port: 3000,
  host: '127.0.0.1',
  databaseUrl: undefined,
  dataDir: './data',
  databasePoolMax: 10,
  databaseStatementTimeoutMs: 5000,
  migrateOnStart: true,
  backupDirectory: undefined,
  backupEveryMinutes: 60,
  backupKeep: 48,
  bootstrapApiKey: undefined,
  publicBaseUrl: undefined,
  stagingBaseUrl: undefined,
  corsOrigins: [],
  trustProxy: false,
  bodyLimitBytes: 65_536,
  rateLimitPerMinute: 0,
  categoriesFile: undefined,
  logFormat: undefined,
  metricsPort: undefined,
  metricsHost: '127.0.0.1',
  logLevel: 'info',
  shutdownDelayMs: 0,
  shutdownGraceMs: 10_000,
};

describe('the environment', () => {
  it('can be empty: every setting has a default', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  it('can have empty variables, which count as unset, and other variables', () => {
    const empty = Object.fromEntries(
      ['PORT', 'HOST', 'DATABASE_URL', 'TRUST_PROXY', 'CORS_ORIGINS', 'LOG_LEVEL'].map((name) => [name, '']),
    );
    expect(readConfig({ ...empty, PATH: '/bin', PORTS: 'many' })).toEqual(defaults);
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::', { host: '::' }],
    ['HOST', 'petstore.local', { host: 'petstore.local' }],
    [
      'DATABASE_URL',
      'postgres://u:p%40ss@db:5433/petstore?sslmode=require',
      { databaseUrl: 'postgres://u:p%40ss@db:5433/petstore?sslmode=require' },
    ],
    [
      'DATABASE_URL',
      'postgresql://u@localhost/petstore?host=/run/postgresql',
      { databaseUrl: 'postgresql://u@localhost/petstore?host=/run/postgresql' },
    ],
    ['DATA_DIR', '/var/lib/pet store', { dataDir: '/var/lib/pet store' }],
    ['DATABASE_POOL_MAX', '1', { databasePoolMax: 1 }],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '600000', { databaseStatementTimeoutMs: 600_000 }],
    ['MIGRATE_ON_START', 'false', { migrateOnStart: false }],
    ['BOOTSTRAP_API_KEY', '!"#$%&\'()*+,-./0123456789~', { bootstrapApiKey: '!"#$%&\'()*+,-./0123456789~' }],
    ['PUBLIC_BASE_URL', 'https://api.example.com/v1', { publicBaseUrl: 'https://api.example.com/v1' }],
    ['STAGING_BASE_URL', 'http://localhost:3000/store/v1', { stagingBaseUrl: 'http://localhost:3000/store/v1' }],
    [
      'CORS_ORIGINS',
      'https://a.example, http://localhost:5173',
      { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
    ],
    ['TRUST_PROXY', 'loopback', { trustProxy: ['loopback'] }],
    ['TRUST_PROXY', 'linklocal , uniquelocal,::1', { trustProxy: ['linklocal', 'uniquelocal', '::1'] }],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8,192.0.2.1', { trustProxy: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] }],
    ['BODY_LIMIT_BYTES', '1024', { bodyLimitBytes: 1024 }],
    ['CATEGORIES_FILE', '/etc/pet store/categories.csv', { categoriesFile: '/etc/pet store/categories.csv' }],
    ['LOG_FORMAT', 'json', { logFormat: 'json' }],
    ['METRICS_PORT', '9464', { metricsPort: 9464 }],
    ['METRICS_HOST', '0.0.0.0', { metricsHost: '0.0.0.0' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
    ['SHUTDOWN_GRACE_MS', '0', { shutdownGraceMs: 0 }],
  ])('may set %s to %s', (name, value, change) => {
    expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...change });
  });

  const number = (min: number, max: number) => `must be an integer from ${min} to ${max}, not `;
  it.each([
    ...['-1', '65536', '80.5', '0x50', '1e3', 'http', ' 80', '٣'].map((value) => ['PORT', value, number(0, 65_535)]),
    ...['http://0.0.0.0', '0.0.0.0:3000', ' ', 'a b', '[::]', '-a', '256.1.1.1'].map((value) => [
      'HOST',
      value,
      'an IP address or a host name',
    ]),
    ['METRICS_PORT', '0', number(1, 65_535)],
    ['METRICS_HOST', '999.1', 'an IP address or a host name'],
    ['DATA_DIR', '  ', 'the path of a folder'],
    ...['0', '1001'].map((value) => ['DATABASE_POOL_MAX', value, number(1, 1000)]),
    ...['99', '600001'].map((value) => ['DATABASE_STATEMENT_TIMEOUT_MS', value, number(100, 600_000)]),
    ...['yes', '1', 'TRUE', ' true'].map((value) => ['MIGRATE_ON_START', value, 'must be true or false']),
    ...[
      'api.example.com/v1',
      'https://api.example.com',
      'https://api.example.com/v1/',
      'ftp://a/v1',
      'https://a/v1?x',
      'https://a/v1#x',
      ' https://a/v1',
    ].map((value) => ['PUBLIC_BASE_URL', value, 'ends in /v1']),
    ['STAGING_BASE_URL', 'nowhere', 'ends in /v1'],
    ...['*', 'null', 'shop.example.com', 'https://a.example/', 'https://a.example,,', 'https://a.example/x'].map(
      (value) => ['CORS_ORIGINS', value, 'must be a list of origins'],
    ),
    ...[
      'true',
      'private',
      'Loopback',
      '*',
      'proxy.example.com',
      '1.5',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0/8',
      'fd00::/129',
      '1.2.3.4/8/8',
      '10.0.0.0/8,',
    ].map((value) => ['TRUST_PROXY', value, 'must be a list of addresses, CIDRs or the names loopback, linklocal']),
    ...['0', '1', '99', '-1', 'loopback,2', '007'].map((value) => [
      'TRUST_PROXY',
      value,
      'it would let a client that reaches the port directly choose its address. Use addresses, CIDRs or the names',
    ]),
    ...['1023', '16777217', '64k'].map((value) => ['BODY_LIMIT_BYTES', value, number(1024, 16_777_216)]),
    ...['verbose', 'INFO'].map((value) => [
      'LOG_LEVEL',
      value,
      'must be one of fatal, error, warn, info, debug, trace, silent',
    ]),
    ['LOG_FORMAT', 'text', 'must be one of json, pretty'],
    ['CATEGORIES_FILE', ' ', 'the path of a file'],
    ...['-1', '10s'].map((value) => ['SHUTDOWN_GRACE_MS', value, number(0, 600_000)]),
  ])(
    'cannot set %s to "%s": the message names the variable, the fault and the allowed values',
    (name, value, allowed) => {
      const { faults, message, exitCode } = refusal({ [name]: value });
      expect(faults).toEqual([expect.stringContaining(`${name} `)]);
      expect(message).toContain(allowed);
      expect(message).toContain(JSON.stringify(value.split(',').at(-1)));
      expect(exitCode).toBe(78);
    },
  );

  it('shows only the beginning of a long value', () => {
    expect(refusal({ LOG_LEVEL: 'x'.repeat(10_000) }).message.length).toBeLessThan(300);
  });

  it('names every invalid variable at once', () => {
    expect(refusal({ PORT: 'a', HOST: '/', LOG_LEVEL: 'b', DATABASE_URL: 'c' }).message.split('\n')).toEqual([
      'Invalid configuration:',
      expect.stringMatching(/^ {2}PORT must be an integer /) as string,
      expect.stringMatching(/^ {2}HOST must be /) as string,
      expect.stringMatching(/^ {2}DATABASE_URL must be a PostgreSQL URL/) as string,
      expect.stringMatching(/^ {2}LOG_LEVEL must be one of /) as string,
    ]);
  });
});

it.each([
  ['PORT', 'tcp://10.96.0.12:80'],
  ['METRICS_PORT', 'tcp://10.96.0.12:9464'],
  ['METRICS_PORT', 'udp://[fd00::12]:9464'],
  ['PORT', 'sctp://10.96.0.12:3000'],
])('%s=%s of a Kubernetes Service is explained', (name, value) => {
  expect(refusal({ [name]: value }).faults).toEqual([
    expect.stringContaining(
      `not "${value}". Kubernetes sets it to the address of a Service. Set enableServiceLinks: false`,
    ),
  ]);
});

describe('an invalid secret', () => {
  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@localhost/petstore', 'must be a PostgreSQL URL, such as postgresql://'],
    ['DATABASE_URL', 'postgres://root:hunter2@localhost', 'must name a database, such as postgresql://'],
    ['DATABASE_URL', 'postgres://root:hunter2@localhost:99999/petstore', 'must be a PostgreSQL URL'],
    ['DATABASE_URL', 'postgres://root:hunter2%zz@localhost/petstore', 'contains invalid percent-encoding'],
    ...['prefer', 'allow', 'no-verify', 'REQUIRE'].map((mode) => [
      'DATABASE_URL',
      `postgres://root:hunter2@localhost/petstore?sslmode=${mode}`,
      'must have one of the sslmodes disable, require, verify-ca, verify-full',
    ]),
    ['DATABASE_URL', 'postgres://root:hunter2@localhost/petstore?sslmode=verify-ca', 'requires sslrootcert=FILE'],
    ...[
      '-c%20search_path%3Dstore',
      '--search_path%3Dstore',
      '--search-path%3Dstore',
      '-cSEARCH_PATH=store',
      '-c search_path=public-x',
      '-c search_path=publications,public',
    ].map((options) => [
      'DATABASE_URL',
      `postgres://root:hunter2@localhost/petstore?options=${options}`,
      'must have public as the first schema of search_path',
    ]),
    ['DATABASE_URL', 'hunter2', 'must be a PostgreSQL URL'],
    ['BOOTSTRAP_API_KEY', 'hunter2', '24 or more visible ASCII characters'],
    ['BOOTSTRAP_API_KEY', 'hunter2 hunter2 hunter2 hunter2', '24 or more visible ASCII characters'],
    ['BOOTSTRAP_API_KEY', 'hunter2'.repeat(5).concat('ä'), '24 or more visible ASCII characters'],
    ['BOOTSTRAP_API_KEY', 'hunter2hunter2hunter2hunter2', 'at least 10 of them distinct'],
    ['BOOTSTRAP_API_KEY', 'hunter2hunter2hunter2hunter2', 'openssl rand -hex 32'],
    ['CORS_ORIGINS', 'https://root:hunter2@shop.example.com', 'must be a list of origins'],
    ['PUBLIC_BASE_URL', 'https://root:hunter2@api.example.com/v1', 'must not contain a user name or a password'],
  ])('is named and explained, but never shown: %s (%#)', (name = '', value = '', why = '') => {
    const { message } = refusal({ [name]: value });
    expect(message).toContain(`${name} `);
    expect(message).toContain(why);
    expect(message).not.toContain('hunter2');
  });
});

describe('a secret', () => {
  const url = 'postgresql://user:password@localhost:5432/petstore';
  const key = 'a-key-for-the-tests-of-the-service';

  async function fileWith(text: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'secret'), text);
    return join(folder, 'secret');
  }

  it('can be in a file, which may end with a line break', async () => {
    const variables = { DATABASE_URL_FILE: await fileWith(`${url}\n`), BOOTSTRAP_API_KEY_FILE: await fileWith(key) };
    expect(readConfig(variables)).toMatchObject({ databaseUrl: url, bootstrapApiKey: key });
  });

  it('cannot be in a variable and a file', async () => {
    const { faults } = refusal({ DATABASE_URL: url, DATABASE_URL_FILE: await fileWith(url) });
    expect(faults).toEqual(['DATABASE_URL and DATABASE_URL_FILE are both set. Set one of them']);
  });

  it('must be in a file that is readable and not empty', async () => {
    const empty = await fileWith('\n');
    const { faults } = refusal({ DATABASE_URL_FILE: '/nowhere/url', BOOTSTRAP_API_KEY_FILE: empty });
    expect(faults).toEqual([
      expect.stringContaining('DATABASE_URL is missing: cannot read the file of DATABASE_URL_FILE: ENOENT'),
      `BOOTSTRAP_API_KEY is missing: the file of BOOTSTRAP_API_KEY_FILE, ${empty}, is empty`,
    ]);
  });

  it('is never shown when its file has an invalid value', async () => {
    const { message } = refusal({ DATABASE_URL_FILE: await fileWith('mysql://user:hunter2@localhost/petstore') });
    expect(message).toContain('DATABASE_URL must be a PostgreSQL URL');
    expect(message).not.toContain('hunter2');
  });
});
