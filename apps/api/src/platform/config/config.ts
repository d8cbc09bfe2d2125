import { boolean, ConfigError, Environment, integer, oneOf } from './environment.js';
import type { VariableName } from './meanings.js';
import {
  baseUrl,
  bootstrapKey,
  file,
  folder,
  host,
  origins,
  postgresUrl,
  processCount,
  trustedProxies,
} from './variables.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logFormats = ['json', 'pretty'] as const;

/** Everything that can be set from outside. Read once, by `readConfig`, and handed on. */
export class Config {
  /** `PORT`: 0 takes any free one. */
  readonly port!: number;
  /** `HOST`: the address to listen on; 0.0.0.0 for all. */
  readonly host!: string;
  /** `DATABASE_URL`: a PostgreSQL 15 or newer; without it the embedded one runs. */
  readonly databaseUrl!: string | undefined;
  /** `DATA_DIR`: where the embedded database lives. */
  readonly dataDir!: string;
  /** `WEB_CONCURRENCY`: processes that serve requests. */
  readonly webConcurrency!: number;
  /** `DATABASE_POOL_MAX`: connections a process may open. */
  readonly databasePoolMax!: number;
  /** `DATABASE_STATEMENT_TIMEOUT_MS`: after which a statement is given up. */
  readonly databaseStatementTimeoutMs!: number;
  /** `MIGRATE_ON_START` */
  readonly migrateOnStart!: boolean;
  /** `BOOTSTRAP_API_KEY`: a key that exists with full rights; a secret. */
  readonly bootstrapApiKey!: string | undefined;
  /** `PUBLIC_BASE_URL`: the production server that the OpenAPI document names. */
  readonly publicBaseUrl!: string | undefined;
  /** `STAGING_BASE_URL`: the staging server that the OpenAPI document names. */
  readonly stagingBaseUrl!: string | undefined;
  /** `CORS_ORIGINS`: pages of other origins that may call the API. */
  readonly corsOrigins!: readonly string[];
  /** `TRUST_PROXY`: hops or CIDRs whose X-Forwarded-For is believed. */
  readonly trustProxy!: number | readonly string[] | false;
  /** `BODY_LIMIT_BYTES`: of a request body. */
  readonly bodyLimitBytes!: number;
  /** `RATE_LIMIT_PER_MINUTE`: requests a key may send to a process; 0 is any number. */
  readonly rateLimitPerMinute!: number;
  /** `AUTH_FAILURES_PER_MINUTE`: wrong keys an address may try in a process. */
  readonly authFailuresPerMinute!: number;
  /** `CATEGORIES_FILE`: a CSV file with the names of categories. */
  readonly categoriesFile!: string | undefined;
  /** `LOG_FORMAT`: by default text at a terminal, else JSON. */
  readonly logFormat!: (typeof logFormats)[number] | undefined;
  /** `METRICS_PORT`: serves metrics for Prometheus. */
  readonly metricsPort!: number | undefined;
  /** `METRICS_HOST`: the address that the metrics listen on. */
  readonly metricsHost!: string;
  /** `LOG_LEVEL` */
  readonly logLevel!: (typeof logLevels)[number];
  /** `SHUTDOWN_GRACE_MS`: how long accepted requests may take to end. */
  readonly shutdownGraceMs!: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError that names every variable at fault and what is allowed. */
export function readConfig(variables: Variables): Config {
  const environment = new Environment(variables);
  const config = readFrom(environment);
  if (environment.faults.length > 0) throw new ConfigError(environment.faults);
  return config;
}

/** The default of each variable. */
export function readDefaults(): ReadonlyMap<VariableName, unknown> {
  const environment = new Environment({});
  readFrom(environment);
  return environment.defaults;
}

/** Warnings about variables that have no effect because they are probably misspelled. */
export function findMisspellings(variables: Variables): string[] {
  const environment = new Environment(variables);
  readFrom(environment);
  return environment.misspellings().map(({ name, known }) => `${name} has no effect. Did you mean ${known}?`);
}

function readFrom(environment: Environment): Config {
  return {
    port: environment.read('PORT', integer(0, 65_535), 3000),
    host: environment.read('HOST', host, '127.0.0.1'),
    databaseUrl: environment.read('DATABASE_URL', postgresUrl, undefined),
    dataDir: environment.read('DATA_DIR', folder, './data'),
    webConcurrency: environment.read('WEB_CONCURRENCY', processCount, 1),
    databasePoolMax: environment.read('DATABASE_POOL_MAX', integer(1, 1000), 10),
    databaseStatementTimeoutMs: environment.read('DATABASE_STATEMENT_TIMEOUT_MS', integer(100, 600_000), 5000),
    migrateOnStart: environment.read('MIGRATE_ON_START', boolean, true),
    bootstrapApiKey: environment.read('BOOTSTRAP_API_KEY', bootstrapKey, undefined),
    publicBaseUrl: environment.read('PUBLIC_BASE_URL', baseUrl, undefined),
    stagingBaseUrl: environment.read('STAGING_BASE_URL', baseUrl, undefined),
    corsOrigins: environment.read('CORS_ORIGINS', origins, []),
    trustProxy: environment.read('TRUST_PROXY', trustedProxies, false),
    bodyLimitBytes: environment.read('BODY_LIMIT_BYTES', integer(1024, 16_777_216), 65_536),
    rateLimitPerMinute: environment.read('RATE_LIMIT_PER_MINUTE', integer(0, 1_000_000), 0),
    authFailuresPerMinute: environment.read('AUTH_FAILURES_PER_MINUTE', integer(1, 1_000_000), 60),
    categoriesFile: environment.read('CATEGORIES_FILE', file, undefined),
    logFormat: environment.read('LOG_FORMAT', oneOf(logFormats), undefined),
    metricsPort: environment.read('METRICS_PORT', integer(1, 65_535), undefined),
    metricsHost: environment.read('METRICS_HOST', host, '127.0.0.1'),
    logLevel: environment.read('LOG_LEVEL', oneOf(logLevels), 'info'),
    shutdownGraceMs: environment.read('SHUTDOWN_GRACE_MS', integer(0, 600_000), 10_000),
  };
}
