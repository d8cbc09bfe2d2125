import pg from 'pg';
import { databaseTimeoutMs } from '../errors/timeout.js';
import { breakSilent, KeptConnections, socketOf } from './kept-connections.js';
import { isNamedQuery } from './prepared-query.js';

export interface DatabaseOptions {
  url: string;
  /** Connections this process may open. */
  poolMax: number;
  statementTimeoutMs: number;
}

/** The connections of this process. */
export function makePool({ url, poolMax, statementTimeoutMs }: DatabaseOptions): pg.Pool {
  // The server keeps its own time; this one is for a server that has stopped answering.
  const silenceMs = statementTimeoutMs + 500;
  const config = {
    connectionString: withSession(url),
    max: poolMax,
    application_name: 'petstore',
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: statementTimeoutMs,
    keepAlive: true,
  };
  const pool = new StatementPool(config, silenceMs);
  // Between the pool and whoever takes a connection nobody listens, and an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  breakSilentConnections(pool, silenceMs);
  return pool;
}

/**
 * In UTC, because Prisma's adapter reads and writes timestamps without a zone. Each statement is planned once a
 * connection: for one page, planning took longer than the page. Who waits for a lock gives up while its request still
 * waits, so that little is done of what was told to try again. What the URL sets for the session stays.
 */
const session = `-c TimeZone=UTC -c plan_cache_mode=force_generic_plan -c lock_timeout=${databaseTimeoutMs - 1000}`;

function withSession(text: string): string {
  const url = new URL(text);
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} ${session}`.trim());
  return url.href;
}

/**
 * Gives a connection up that is in use and brings nothing for so long. pg's own query_timeout does the same with a
 * timer and a callback for each query, by which V8 keeps the results of all queries until its next full collection:
 * these then took a quarter of the CPU under load.
 */
function breakSilentConnections(pool: pg.Pool, ms: number): void {
  pool.on('connect', (client) => socketOf(client).on('timeout', () => breakSilent(client, ms)));
  pool.on('acquire', (client) => socketOf(client).setTimeout(ms));
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** Has its prepared statements, which Prisma's adapter asks for by a name and rows as arrays, go a way of their own. */
class StatementPool extends pg.Pool {
  private readonly kept: KeptConnections;

  constructor(config: pg.PoolConfig, silenceMs: number) {
    super(config);
    this.kept = new KeptConnections(this, silenceMs);
  }

  override query(...given: unknown[]): never {
    const [first] = given;
    return (isNamedQuery(first) ? this.kept.run(first) : super.query(...(given as [string]))) as never;
  }

  override connect(...given: unknown[]): never {
    this.kept.makeRoom();
    return super.connect(...(given as [])) as never;
  }

  override end(...given: unknown[]): never {
    this.kept.releaseAll();
    return super.end(...(given as [])) as never;
  }
}
