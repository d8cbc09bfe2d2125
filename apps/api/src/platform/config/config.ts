import { boolean, ConfigError, Environment, integer, oneOf } from './environment.js';
import type { VariableName } from './meanings.js';
import {
  baseUrl,
  bootstrapKey,
  host,
  origins,
  pathOf,
  postgresUrl,
  processCount,
  trustedProxies,
} from './variables.js';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const logFormats = ['json', 'pretty'] as const;

/** The settings of the service. `readConfig` reads them once, at start. `meanings.ts` describes each variable. */
export class Config {
  readonly port!: number;
  readonly host!: string;
  readonly databaseUrl!: string | undefined;
  readonly dataDir!: string;
  readonly webConcurrency!: number;
  readonly databasePoolMax!: number;
  readonly databaseStatementTimeoutMs!: number;
  readonly migrateOnStart!: boolean;
  readonly bootstrapApiKey!: string | undefined;
  readonly publicBaseUrl!: string | undefined;
  readonly stagingBaseUrl!: string | undefined;
  readonly corsOrigins!: readonly string[];
  readonly trustProxy!: number | readonly string[] | false;
  readonly bodyLimitBytes!: number;
  readonly rateLimitPerMinute!: number;
  readonly authFailuresPerMinute!: number;
  readonly categoriesFile!: string | undefined;
  readonly logFormat!: (typeof logFormats)[number] | undefined;
  readonly metricsPort!: number | undefined;
  readonly metricsHost!: string;
  readonly logLevel!: (typeof logLevels)[number];
  readonly shutdownGraceMs!: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws ConfigError that names every invalid variable and its allowed values. */
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
    dataDir: environment.read('DATA_DIR', pathOf('folder'), './data'),
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
    categoriesFile: environment.read('CATEGORIES_FILE', pathOf('file'), undefined),
    logFormat: environment.read('LOG_FORMAT', oneOf(logFormats), undefined),
    metricsPort: environment.read('METRICS_PORT', integer(1, 65_535), undefined),
    metricsHost: environment.read('METRICS_HOST', host, '127.0.0.1'),
    logLevel: environment.read('LOG_LEVEL', oneOf(logLevels), 'info'),
    shutdownGraceMs: environment.read('SHUTDOWN_GRACE_MS', integer(0, 600_000), 10_000),
  };
}
