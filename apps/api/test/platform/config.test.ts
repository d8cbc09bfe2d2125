import { describe, expect, it } from 'vitest';
import { type Config, findMisspellings, findWarnings, readConfig } from '../../src/platform/config/config.js';
import { refusal } from '../support/start-error.js';

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
    ['HOST', '::', { host: '::' }],
    ['HOST', 'petstore.local', { host: 'petstore.local' }],
    ['DATA_DIR', '/var/lib/pet store', { dataDir: '/var/lib/pet store' }],
    ['DATABASE_POOL_MAX', '1', { databasePoolMax: 1 }],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '600000', { databaseStatementTimeoutMs: 600_000 }],
    ['MIGRATE_ON_START', 'false', { migrateOnStart: false }],
    ['BOOTSTRAP_API_KEY', '!"#$%&\'()*+,-./0123456789~', { bootstrapApiKey: '!"#$%&\'()*+,-./0123456789~' }],
    ['PUBLIC_BASE_URL', 'https://api.example.com/v1', { publicBaseUrl: 'https://api.example.com/v1' }],
    ['STAGING_BASE_URL', 'http://localhost:3000/store/v1', { stagingBaseUrl: 'http://localhost:3000/store/v1' }],
    ['CORS_ORIGINS', 'https://a.example, http://b:5173', { corsOrigins: ['https://a.example', 'http://b:5173'] }],
    ['TRUST_PROXY', 'linklocal , uniquelocal,::1', { trustProxy: ['linklocal', 'uniquelocal', '::1'] }],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8,192.0.2.1', { trustProxy: ['10.0.0.0/8', 'fd00::/8', '192.0.2.1'] }],
    ['BODY_LIMIT_BYTES', '1024', { bodyLimitBytes: 1024 }],
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
  const hops =
    'it would let a client that reaches the port directly choose its address. Use addresses, CIDRs or the names';
  const baseUrl = 'ends in /v1';
  const origins = 'must be a list of origins in lower case, without user names, paths, slashes at the end or wildcards';
  const proxies = 'must be a list of addresses, CIDRs or the names loopback, linklocal';
  it.each<[name: string, allowed: string, values: string[]]>([
    ['PORT', number(0, 65_535), ['-1', '65536', '80.5', '0x50', '1e3', 'http', ' 80', '٣']],
    ['HOST', 'an IP address or a host name', ['http://0.0.0.0', '0.0.0.0:3000', ' ', 'a b', '[::]', '256.1.1.1']],
    ['METRICS_PORT', number(1, 65_535), ['0']],
    ['METRICS_HOST', 'an IP address or a host name', ['999.1']],
    ['DATABASE_POOL_MAX', number(1, 1000), ['0', '1001']],
    ['DATABASE_STATEMENT_TIMEOUT_MS', number(100, 600_000), ['99', '600001']],
    ['MIGRATE_ON_START', 'must be true or false', ['yes', '1', 'TRUE', ' true']],
    ['PUBLIC_BASE_URL', baseUrl, ['a.example/v1', 'https://a', 'https://a/v1/', 'ftp://a/v1', 'https://a/v1?x']],
    ['PUBLIC_BASE_URL', baseUrl, ['https:/a/v1', 'https:a/v1', 'https://{host}/v1', 'https://a\\v1', 'https://*.a/v1']],
    ['STAGING_BASE_URL', baseUrl, ['nowhere']],
    ['CORS_ORIGINS', origins, ['*', 'null', 'shop.example.com', 'https://a/', 'https://a,,']],
    ['CORS_ORIGINS', origins, ['https://*.shop.example', 'https://A', 'https://a:443']],
    ['TRUST_PROXY', proxies, ['true', 'private', '*', 'proxy.example.com', '1.5']],
    ['TRUST_PROXY', proxies, ['10.0.0.0/33', '10.0.0.0/0', 'fd00::/129', '10.0.0.0/8,']],
    ['TRUST_PROXY', hops, ['0', '1', '99', 'loopback,2', '007']],
    ['BODY_LIMIT_BYTES', number(1024, 16_777_216), ['1023', '16777217', '64k']],
    ['LOG_LEVEL', 'must be one of fatal, error, warn, info, debug, trace, silent', ['verbose', 'INFO']],
    ['LOG_FORMAT', 'must be one of json, pretty', ['text']],
    ['SHUTDOWN_GRACE_MS', number(0, 600_000), ['-1', '10s']],
  ])('with an invalid %s is rejected: the message names the variable, the value and "%s"', (name, allowed, values) => {
    for (const value of values) {
      const { faults, message, exitCode } = refusal({ [name]: value });
      expect(faults).toEqual([expect.stringContaining(`${name} `)]);
      expect(message).toContain(allowed);
      expect(message).toContain(JSON.stringify(value.split(',').at(-1)));
      expect(exitCode).toBe(78);
    }
  });

  it.each([
    ['PORT', 'tcp://10.96.0.12:80'],
    ['METRICS_PORT', 'tcp://10.96.0.12:9464'],
    ['METRICS_PORT', 'udp://[fd00::12]:9464'],
    ['PORT', 'sctp://10.96.0.12:3000'],
  ])('with %s=%s of a Kubernetes Service is rejected with an explanation', (name, value) => {
    const advice = `not "${value}". Kubernetes sets it to the address of a Service. Set enableServiceLinks: false`;
    expect(refusal({ [name]: value }).faults).toEqual([expect.stringContaining(advice)]);
  });

  const others = ['http://localhost:3000', 'unix:///run/petstore', 'https://10.96.0.12'];
  it.each(others)('with PORT=%s, which Kubernetes does not set, gets no advice about it', (value) => {
    expect(refusal({ PORT: value }).message).not.toContain('Kubernetes');
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

/** A database URL with a password. */
const withPassword = (rest: string) => `postgres://root:hunter2@${rest}`;

it.each([
  ['DATABASE_URL', 'mysql://root:hunter2@localhost/petstore', 'must be a PostgreSQL URL, such as postgresql://'],
  ['DATABASE_URL', withPassword('localhost'), 'must name a database, such as postgresql://'],
  ['DATABASE_URL', withPassword('localhost:99999/petstore'), 'must be a PostgreSQL URL'],
  ['DATABASE_URL', 'postgres://root:hunter2%zz@localhost/petstore', 'contains invalid percent-encoding'],
  ['DATABASE_URL', withPassword('a/petstore?sslmode=prefer'), 'sslmodes disable, require, verify-ca, verify'],
  ['DATABASE_URL', withPassword('a/petstore?sslmode=verify-ca'), 'requires sslrootcert=FILE'],
  ['DATABASE_URL', withPassword('a,b/petstore'), 'must name one host. For several servers, name a proxy that'],
  ['DATABASE_URL', withPassword('/petstore?host=a,b'), 'must name one host'],
  ...['-c%20search_path%3Dstore', '--search-path%3Dstore', '-c search_path=store,public'].map((options) => [
    'DATABASE_URL',
    withPassword(`localhost/petstore?options=${options}`),
    'must have public as the first schema of search_path',
  ]),
  ...['::1', '[::1', 'fe80::1:5432', 'a:54 32', 'a:port', 'a:tcp://10.0.0.1:5432'].map((host) => [
    'DATABASE_URL',
    withPassword(`${host}/petstore`),
    'must be a PostgreSQL URL with a valid host and port',
  ]),
  ['DATABASE_URL', 'hunter2', 'must be a PostgreSQL URL'],
  ['BOOTSTRAP_API_KEY', 'hunter2', '24 or more visible ASCII characters'],
  ['BOOTSTRAP_API_KEY', 'hunter2'.repeat(5).concat('ä'), '24 or more visible ASCII characters'],
  ['BOOTSTRAP_API_KEY', 'hunter2hunter2hunter2hunter2', 'at least 10 of them distinct'],
  ['CORS_ORIGINS', 'https://root:hunter2@shop.example.com', 'must be a list of origins'],
  ['CORS_ORIGINS', 'root:hunter2@shop.example.com', 'must be a list of origins'],
  ['PUBLIC_BASE_URL', 'https://root:hunter2@api.example.com/v1', 'must not contain a user name or a password'],
  ['PUBLIC_BASE_URL', 'https://root:hunter2@api.example.com:port/v1', 'not "…@api.example.com:port/v1"'],
  ['STAGING_BASE_URL', 'root:hun@hunter2@api.example.com/v1', 'not "…@api.example.com/v1"'],
  ['PORT', 'https://root:hunter2@api.example.com', 'must be an integer'],
  ['DATA_DIR', 'postgres://root:hunter2@localhost/petstore', 'must be the path of a folder'],
  ['BACKUP_DIRECTORY', 'sftp://root:hunter2@nas/backups', 'must be the path of a folder'],
  ['DATABASE_URL_FILE', 'postgres://root:hunter2@localhost/petstore', 'must be the path of a file'],
  ['DATABASE_URL_FILE', 'host=localhost password=hunter2', 'cannot read the file of DATABASE_URL_FILE: ENOENT'],
  ['BOOTSTRAP_API_KEY_FILE', 'psk_hunter2-hunter2-hunter2-abc', 'cannot read the file of BOOTSTRAP_API_KEY_FILE'],
  ['BOOTSTRAP_API_KEY_FILE', '/psk/hunter2+hunter2/abcdefghi=', 'cannot read the file of BOOTSTRAP_API_KEY_FILE'],
  ['BOOTSTRAP_API_KEY_FILE', '"psk_hunter2-hunter2-hunter2"', 'must be the path of a file'],
])('an invalid secret is named and explained, but never shown: %s (%#)', (name = '', value = '', why = '') => {
  const { message } = refusal({ [name]: value });
  expect(message).toContain(name);
  expect(message).toContain(why);
  expect(message).not.toContain('hunter2');
});

describe('a variable that is probably misspelled', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['BOOTSTRAP_APIKEY', 'BOOTSTRAP_API_KEY'],
    ['BACKUP_DIR', 'BACKUP_DIRECTORY'],
    ['SHUTDOWN_GRACE', 'SHUTDOWN_GRACE_MS'],
  ])('gets a warning: %s', (name, known) => {
    expect(findMisspellings({ [name]: 'secret' })).toEqual([`${name} has no effect. Did you mean ${known}?`]);
  });

  const others = ['PATH', 'PORTS', 'TEST_DATABASE_URL', 'DATABASE_URL', 'LOG_LEVELLING', 'METRICS'];
  it.each(others)('does not include %s', (name) => expect(findMisspellings({ [name]: '' })).toEqual([]));
});

it.each([
  ['20.20.2', ['Node 20.20.2 gets no security fixes. Use Node 22 or 24.']],
  ['22.12.0', []],
])('the warnings of Node %s are %j', (node, warnings) => {
  expect(findWarnings({}, readConfig({}), node)).toEqual(warnings);
});
