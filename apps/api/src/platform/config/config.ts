import { readFileSync } from 'node:fs';
import { ConfigError } from '../errors/startup-error.js';
import {
  baseUrl,
  boolean,
  bootstrapKey,
  host,
  integer,
  InvalidSetting,
  localPath,
  oneOf,
  origins,
  type Parse,
  postgresUrl,
  trustedProxies,
} from './parsers.js';

interface Setting<Value, Default> {
  /** The environment variable. */
  name: string;
  parse: Parse<Value>;
  /** The value of an unset variable. */
  whenUnset: Default;
  /** Its description in docs/settings.md, which is generated from this table. */
  meaning: string;
  /** Whether the variable with the suffix `_FILE` may name a file with the value instead, such as a secret of systemd. */
  isSecret?: true;
}

function setting<Value, Default>(
  name: string,
  parse: Parse<Value>,
  whenUnset: Default,
  meaning: string,
): Setting<Value, Default> {
  return { name, parse, whenUnset, meaning };
}

function secret<Value>(name: string, parse: Parse<Value>, meaning: string): Setting<Value, undefined> {
  return { ...setting(name, parse, undefined, meaning), isSecret: true };
}

/** Every setting of the service, by its name in the code. */
export const settings = {
  port: setting('PORT', integer(0, 65_535), 3000, 'port of the API and the admin; 0: any free port'),
  host: setting('HOST', host, '127.0.0.1', 'address to listen on; `0.0.0.0` is every network'),
  databaseUrl: secret(
    'DATABASE_URL',
    postgresUrl,
    'PostgreSQL 15 or newer: `postgresql://user:password@host:5432/database`, with special characters percent-encoded; ' +
      '`?host=/run/postgresql` names a socket; unset: the embedded PostgreSQL. `DATABASE_URL_FILE` names a file with it ' +
      'instead. [TLS](install.md#tls-to-the-database): `?sslmode=verify-full`',
  ),
  dataDir: setting('DATA_DIR', localPath, './data', 'directory of the embedded PostgreSQL'),
  databasePoolMax: setting('DATABASE_POOL_MAX', integer(1, 1000), 10, 'database connections of a process'),
  databaseStatementTimeoutMs: setting(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    integer(100, 600_000),
    5000,
    'PostgreSQL cancels a statement after this time',
  ),
  migrateOnStart: setting(
    'MIGRATE_ON_START',
    boolean,
    true,
    '`false`: the start only checks the schema; [apply the migrations](operate.md#upgrade) yourself',
  ),
  backupDirectory: setting(
    'BACKUP_DIRECTORY',
    localPath,
    undefined,
    'directory of the [scheduled backups](operate.md#scheduled-backups), `npm run backup` and the backup before a ' +
      'migration; the start creates only its last part; unset: no schedule. Only for the embedded PostgreSQL',
  ),
  backupEveryMinutes: setting(
    'BACKUP_EVERY_MINUTES',
    integer(1, 10_080),
    60,
    'a backup is due when the newest one in `BACKUP_DIRECTORY` is this old',
  ),
  backupKeep: setting(
    'BACKUP_KEEP',
    integer(1, 10_000),
    48,
    'how many of the newest backups to keep. In addition, the last backup of each of the newest 14 days (UTC) stays. ' +
      'Backups that are dated after now do not count',
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    bootstrapKey,
    '24 or more visible ASCII characters, at least 10 of them distinct, such as the output of `openssl rand -hex 32`. ' +
      'The start creates a key with this value, the name `bootstrap` and all rights. If you change the value, the old key ' +
      'is revoked. If you remove the variable, the key stays valid. `BOOTSTRAP_API_KEY_FILE` names a file with it instead',
  ),
  publicBaseUrl: setting(
    'PUBLIC_BASE_URL',
    baseUrl,
    undefined,
    'production server in the OpenAPI document; ends in `/v1`',
  ),
  stagingBaseUrl: setting(
    'STAGING_BASE_URL',
    baseUrl,
    undefined,
    'staging server in the OpenAPI document; ends in `/v1`',
  ),
  corsOrigins: setting('CORS_ORIGINS', origins, [], 'origins whose pages may call the API, separated by commas'),
  trustProxy: setting(
    'TRUST_PROXY',
    trustedProxies,
    false,
    'the proxies whose `X-Forwarded-For` the service trusts: a list of addresses, CIDRs, or the names `loopback`, ' +
      '`linklocal` and `uniquelocal` (private networks); unset: none. See [Put a proxy in front](install.md#put-a-proxy-in-front)',
  ),
  bodyLimitBytes: setting(
    'BODY_LIMIT_BYTES',
    integer(1024, 16_777_216),
    8192,
    'maximum size of a request body; the largest valid animal has about 3 kB',
  ),
  rateLimitPerMinute: setting(
    'RATE_LIMIT_PER_MINUTE',
    integer(0, 1_000_000),
    0,
    'how many requests per minute a key may send to a process; 0: unlimited',
  ),
  categoriesFile: setting(
    'CATEGORIES_FILE',
    localPath,
    undefined,
    'CSV file with the names of categories; see [Names of categories](install.md#names-of-categories)',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf(['json', 'pretty']),
    undefined,
    '`json` or `pretty`, which is text for people; unset: `pretty` at a terminal, else `json`',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    integer(1, 65_535),
    undefined,
    'port of the [metrics](troubleshooting.md#metrics), which need no key; not `PORT`; unset: none',
  ),
  metricsHost: setting('METRICS_HOST', host, '127.0.0.1', 'address of the metrics'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'fatal, error, warn, info, debug, trace or silent',
  ),
  shutdownDelayMs: setting(
    'SHUTDOWN_DELAY_MS',
    integer(0, 600_000),
    0,
    'time after a stop signal in which `/readyz` responds 503, while the service still accepts connections; see ' +
      '[Restart](operate.md#restart-without-a-failed-request)',
  ),
  shutdownGraceMs: setting(
    'SHUTDOWN_GRACE_MS',
    integer(0, 600_000),
    10_000,
    'time to complete accepted requests, after the delay',
  ),
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
  const read = (row: Setting<unknown, unknown>): unknown => {
    try {
      const text = row.isSecret ? readSecret(row.name, variables) : variables[row.name];
      // Compose files and unit files leave variables out by an empty value.
      return text ? row.parse(text) : row.whenUnset;
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      faults.push(`${row.name} ${error.message}`);
      return undefined;
    }
  };
  const config = Object.fromEntries(Object.entries(settings).map(([name, row]) => [name, read(row)])) as Config;
  if (config.databaseUrl !== undefined && config.backupDirectory !== undefined) {
    faults.push(
      'BACKUP_DIRECTORY is only for the embedded PostgreSQL. Remove it, and back up the database of DATABASE_URL with ' +
        'pg_dump: see docs/operate.md, "Back up your own PostgreSQL"',
    );
  }
  // Addresses such as 0.0.0.0 and 127.0.0.1 overlap.
  if (config.metricsPort !== undefined && config.metricsPort === config.port) {
    faults.push('METRICS_PORT must not be the port of the API, PORT');
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The value of a variable, or of the file that the variable with the suffix `_FILE` names. */
function readSecret(name: string, variables: Variables): string | undefined {
  const path = variables[`${name}_FILE`];
  if (!path) return variables[name];
  if (variables[name]) throw new InvalidSetting(`and ${name}_FILE are both set. Set one of them`);
  try {
    const text = readFileSync(path, 'utf8').trim();
    if (text !== '') return text;
  } catch (error) {
    // No message shows the path: it may be the secret, given in the wrong variable.
    throw new InvalidSetting(
      `is missing: cannot read the file of ${name}_FILE: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
  throw new InvalidSetting(`is missing: the file of ${name}_FILE is empty`);
}
