import { readFileSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import { ConfigError } from '../errors/startup-error.js';
import { findIneffectiveParameters, postgresUrl } from './database-url.js';
import {
  baseUrl,
  boolean,
  bootstrapKey,
  encodingFault,
  host,
  integer,
  Invalid,
  oneOf,
  origins,
  type Parse,
  localPath,
  port,
  trustedProxies,
} from './parsers.js';

interface Setting<Value, Default> {
  /** The environment variable. */
  name: string;
  parse: Parse<Value>;
  default: Default;
  /** Whether the variable with the suffix `_FILE` may name a file with the value instead, such as a secret of systemd. */
  isSecret?: true;
  /** Its description in docs/settings.md, which is generated from this table. */
  meaning: string;
}

function setting<Value, Default = undefined>(row: Setting<Value, Default>): Setting<Value, Default> {
  return row;
}

/** Every setting of the service, by its name in the code. */
export const settings = {
  port: setting({
    name: 'PORT',
    parse: port(0),
    default: 3000,
    meaning: 'port of the API and the admin; 0: any free port',
  }),
  host: setting({
    name: 'HOST',
    parse: host,
    default: '127.0.0.1',
    meaning: 'address to listen on; `0.0.0.0` is every network',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    parse: postgresUrl,
    default: undefined,
    isSecret: true,
    meaning:
      'PostgreSQL 15 or newer: `postgresql://user:password@host:5432/database`, with special characters percent-encoded; ' +
      '`?host=/run/postgresql` names a socket; unset: the embedded PostgreSQL. ' +
      '`DATABASE_URL_FILE` names a file with it instead. ' +
      '[TLS](install.md#tls-to-the-database): `?sslmode=verify-full`',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    parse: localPath('folder'),
    default: './data',
    meaning: 'directory of the embedded PostgreSQL',
  }),
  databasePoolMax: setting({
    name: 'DATABASE_POOL_MAX',
    parse: integer(1, 1000),
    default: 10,
    meaning: 'database connections of a process',
  }),
  databaseStatementTimeoutMs: setting({
    name: 'DATABASE_STATEMENT_TIMEOUT_MS',
    parse: integer(100, 600_000),
    default: 5000,
    meaning:
      'PostgreSQL cancels a statement after this time. A request that has waited 4 s for the database gets 503 in any case',
  }),
  migrateOnStart: setting({
    name: 'MIGRATE_ON_START',
    parse: boolean,
    default: true,
    meaning: '`false`: the start only checks the schema; [apply the migrations](operate.md#upgrade) yourself',
  }),
  backupDirectory: setting({
    name: 'BACKUP_DIRECTORY',
    parse: localPath('folder'),
    default: undefined,
    meaning:
      'directory of the [scheduled backups](operate.md#scheduled-backups), `npm run backup` and the backup before a ' +
      'migration; unset: no schedule',
  }),
  backupEveryMinutes: setting({
    name: 'BACKUP_EVERY_MINUTES',
    parse: integer(1, 10_080),
    default: 60,
    meaning: 'a backup is due when the newest one in `BACKUP_DIRECTORY` is this old',
  }),
  backupKeep: setting({
    name: 'BACKUP_KEEP',
    parse: integer(1, 10_000),
    default: 48,
    meaning:
      'how many of the newest backups in a directory to keep. In addition, the last backup of each of the newest 14 days (UTC) stays',
  }),
  bootstrapApiKey: setting({
    name: 'BOOTSTRAP_API_KEY',
    parse: bootstrapKey,
    default: undefined,
    isSecret: true,
    meaning:
      '24 or more visible ASCII characters, at least 10 of them distinct, for example the output of ' +
      '`openssl rand -hex 32`. The start creates a key with this value, the name `bootstrap` and all rights. If you ' +
      'change the value, the old key is revoked. If you remove the variable, the key stays valid. ' +
      '`BOOTSTRAP_API_KEY_FILE` names a file with it instead',
  }),
  publicBaseUrl: setting({
    name: 'PUBLIC_BASE_URL',
    parse: baseUrl,
    default: undefined,
    meaning:
      'production server in the OpenAPI document; ends in `/v1`. The start log then shows this address instead of the local one',
  }),
  stagingBaseUrl: setting({
    name: 'STAGING_BASE_URL',
    parse: baseUrl,
    default: undefined,
    meaning: 'staging server in the OpenAPI document; ends in `/v1`',
  }),
  corsOrigins: setting<string[], readonly string[]>({
    name: 'CORS_ORIGINS',
    parse: origins,
    default: [],
    meaning: 'origins whose pages may call the API, separated by commas',
  }),
  trustProxy: setting<string[], false>({
    name: 'TRUST_PROXY',
    parse: trustedProxies,
    default: false,
    meaning:
      'the proxies whose `X-Forwarded-For` the service trusts: a list of addresses, CIDRs, or the names `loopback`, ' +
      '`linklocal` (169.254.0.0/16, fe80::/10) and `uniquelocal` (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, ' +
      'fc00::/7); unset: none. ' +
      'See [Put a proxy in front](install.md#put-a-proxy-in-front)',
  }),
  bodyLimitBytes: setting({
    name: 'BODY_LIMIT_BYTES',
    parse: integer(1024, 16_777_216),
    default: 65_536,
    meaning: 'maximum size of a request body',
  }),
  rateLimitPerMinute: setting({
    name: 'RATE_LIMIT_PER_MINUTE',
    parse: integer(0, 1_000_000),
    default: 0,
    meaning: 'how many requests per minute a key may send to a process; 0: unlimited',
  }),
  categoriesFile: setting({
    name: 'CATEGORIES_FILE',
    parse: localPath('file'),
    default: undefined,
    meaning: 'CSV file with the names of categories; see [Names of categories](install.md#names-of-categories)',
  }),
  logFormat: setting({
    name: 'LOG_FORMAT',
    parse: oneOf(['json', 'pretty']),
    default: undefined,
    meaning: '`json` or `pretty`, which is text for people; unset: `pretty` at a terminal, else `json`',
  }),
  metricsPort: setting({
    name: 'METRICS_PORT',
    parse: port(1),
    default: undefined,
    meaning: 'port of the [metrics](troubleshooting.md#metrics), which need no key; unset: none',
  }),
  metricsHost: setting({
    name: 'METRICS_HOST',
    parse: host,
    default: '127.0.0.1',
    meaning: 'address of the metrics',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    parse: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent',
  }),
  shutdownDelayMs: setting({
    name: 'SHUTDOWN_DELAY_MS',
    parse: integer(0, 600_000),
    default: 0,
    meaning:
      'time after a stop signal in which `/readyz` responds 503, while the service still accepts connections; see ' +
      '[Restart](operate.md#restart-without-a-failed-request)',
  }),
  shutdownGraceMs: setting({
    name: 'SHUTDOWN_GRACE_MS',
    parse: integer(0, 600_000),
    default: 10_000,
    meaning: 'time to complete accepted requests, after the delay',
  }),
};

type ValueOf<Row> = Row extends Setting<infer Value, infer Default> ? Value | Default : never;

/** The values of the settings. `readConfig` reads them once, at start. */
export type Config = { readonly [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> };

/** Injects the `Config`. */
export const CONFIG = Symbol('config');

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError that names every invalid variable and its allowed values. */
export function readConfig(variables: Variables): Config {
  const faults: string[] = [];
  const read = ({ name, parse, default: whenUnset, isSecret }: Setting<unknown, unknown>): unknown => {
    const text = isSecret ? secret(name, variables) : variables[name];
    // Compose files and unit files leave variables out by an empty value.
    if (text === undefined || text === '') return whenUnset;
    const value = text instanceof Invalid ? text : parse(text);
    if (value instanceof Invalid) faults.push(`${name} ${value.reason}`);
    return value;
  };
  const values = Object.entries(settings).map(([name, row]) => [name, read(row)]);
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(values) as Config;
}

/** The value of a variable, or of the file that the variable with the suffix `_FILE` names. */
function secret(name: string, variables: Variables): string | undefined | Invalid {
  const given = variables[`${name}_FILE`];
  if (given === undefined || given === '') return variables[name];
  if (variables[name]) return new Invalid(`and ${name}_FILE are both set. Set one of them`);
  // No message shows a path that is not of a file: it may be the secret, given in the wrong variable.
  const path = localPath('file', true)(given);
  if (path instanceof Invalid) return new Invalid(`is missing: ${name}_FILE ${path.reason}`);
  try {
    const bytes = readFileSync(path);
    // Also removes a byte order mark.
    const text = bytes.toString().trim();
    const fault = encodingFault(bytes) ?? (text === '' ? 'is empty' : undefined);
    return fault === undefined ? text : new Invalid(`is missing: the file of ${name}_FILE, ${path}, ${fault}`);
  } catch (error) {
    return new Invalid(`is missing: cannot read the file of ${name}_FILE: ${(error as Error).message.split(',')[0]}`);
  }
}

/** Versions of Node that the service supports, but that get no security fixes. */
const oldNode = /^20\./;

/** Warnings about what has no effect or is not safe. The service starts nevertheless. */
export function findWarnings(variables: Variables, config: Config, node = process.versions.node): string[] {
  const parameters = config.databaseUrl === undefined ? [] : findIneffectiveParameters(config.databaseUrl);
  const version = oldNode.test(node) ? [`Node ${node} gets no security fixes. Use Node 22 or 24.`] : [];
  return [...findMisspellings(variables), ...parameters, ...version];
}

/** Short names such as PORT resemble too many others. */
const minLengthToCompare = 8;
const maxDistance = 2;

/** Warnings about variables that have no effect because they are probably misspelled or shortened. */
export function findMisspellings(variables: Variables): string[] {
  const rows: Setting<unknown, unknown>[] = Object.values(settings);
  const names = rows.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name]));
  const longer = names.filter((known) => known.length >= minLengthToCompare);
  const unknown = Object.keys(variables).filter((name) => !names.includes(name));
  return unknown.flatMap((name) => {
    const known = closestName(name, longer);
    return known === undefined ? [] : [`${name} has no effect. Did you mean ${known}?`];
  });
}

/** Also finds RATE_LIMIT for RATE_LIMIT_PER_MINUTE, and DATA_DIRECTORY for DATA_DIR. */
function closestName(name: string, known: readonly string[]): string | undefined {
  const whole = known.find((one) => name.length >= minLengthToCompare && one.startsWith(`${name}_`));
  const short = (one: string) => one.replace('DIRECTORY', 'DIR');
  const near = closest(short(name), known.map(short));
  return whole ?? known.find((one) => short(one) === near && distance(short(name), near) <= maxDistance);
}
