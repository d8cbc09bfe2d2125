import type pg from 'pg';

/** The server of a new connection is a standby. A failover may have just turned the primary into one. */
class StandbyError extends Error {
  /** SQLSTATE of a statement that needs the primary. */
  readonly code = '25006';

  constructor() {
    super('The database server is a standby. DATABASE_URL must lead to the primary');
  }
}

/** The `verify` of a pool. Reads from a standby could lack what was acknowledged before. */
export function rejectStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
    .then(({ rows }) => (rows[0]?.isStandby ? new StandbyError() : undefined))
    .then(done, done);
}
