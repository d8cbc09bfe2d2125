/** Documents each variable. docs/settings.md is generated from it. */
export const meanings = {
  PORT: 'port of the API and the admin; 0: any free port',
  HOST: 'address to listen on; `0.0.0.0` is every network',
  DATABASE_URL:
    'PostgreSQL 15 or newer: `postgresql://user:password@host:5432/database`; unset: the embedded PostgreSQL. ' +
    '[TLS](operating.md#tls-to-the-database): `?sslmode=verify-full`',
  DATA_DIR: 'directory of the embedded PostgreSQL',
  WEB_CONCURRENCY:
    'processes behind the port, or `auto`: one per processor; see [Several processes](operating.md#several-processes)',
  DATABASE_POOL_MAX: 'database connections of a process; one or two more listen for changed keys',
  DATABASE_STATEMENT_TIMEOUT_MS:
    'PostgreSQL cancels a statement after this time. A request waits at most 4 s, then gets 503',
  MIGRATE_ON_START: '`false`: the start only checks the schema; run `npm run migration:apply` yourself',
  BOOTSTRAP_API_KEY:
    '24 or more visible ASCII characters, at least 10 of them distinct. This key exists with all rights, named ' +
    '`bootstrap`; another value replaces it. Use a key from `npm run keys -- create`',
  PUBLIC_BASE_URL:
    'production server in the OpenAPI document; ends in `/v1`. The start log also shows the address of this server',
  STAGING_BASE_URL: 'staging server in the OpenAPI document; ends in `/v1`',
  CORS_ORIGINS: 'origins whose pages may call the API, separated by commas',
  TRUST_PROXY:
    'number of proxies, or a list of their CIDRs, whose `X-Forwarded-For` the service trusts; unset: none. ' +
    'See [Put a proxy in front](operating.md#put-a-proxy-in-front)',
  BODY_LIMIT_BYTES: 'maximum size of a request body',
  RATE_LIMIT_PER_MINUTE: 'requests per minute, key and process; 0: unlimited',
  AUTH_FAILURES_PER_MINUTE: 'wrong keys per minute, address and process; see [Wrong keys](operating.md#wrong-keys)',
  CATEGORIES_FILE: 'CSV file with the names of categories; see [Names of categories](operating.md#names-of-categories)',
  METRICS_PORT:
    'port of the [metrics](monitoring.md) for Prometheus; unset: none. They need no key, so do not publish this port',
  METRICS_HOST: 'address of the metrics',
  LOG_FORMAT: '`json` or `pretty`, which is text for people; unset: `pretty` at a terminal, else `json`',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  SHUTDOWN_GRACE_MS: 'time to complete accepted requests after a stop signal',
} as const;

export type VariableName = keyof typeof meanings;
