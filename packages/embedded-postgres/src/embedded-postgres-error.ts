import { ExplainedError } from '@petstore/contracts';

/** The embedded PostgreSQL is not available. The message names the cause and its solution. */
export class EmbeddedPostgresError extends ExplainedError {}

/** A later attempt may succeed. */
export class RetryableError extends EmbeddedPostgresError {}

const alternative = 'or set DATABASE_URL to use your own PostgreSQL server';

/** Explains that the operating system rejected an operation on the data directory. */
export function directoryError(directory: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  return new EmbeddedPostgresError(
    `Cannot use the data directory ${directory}: ${(cause as Error).message}. ` +
      `Fix the cause, set DATA_DIR to another directory, ${alternative}.`,
    { cause },
  );
}

/** Explains why a PostgreSQL program failed. `output` is what it printed. Returns a RetryableError if another PostgreSQL uses the data. */
export function programError(directory: string, output: string): EmbeddedPostgresError {
  const printed = `PostgreSQL printed:\n  ${lastMessages(output)}`;
  if (/pre-existing shared memory block|(lock|PID) file ".*" (already exists|is empty)|old lock file/.test(output)) {
    // The processes of a killed PostgreSQL may end slightly later.
    return new RetryableError(
      `Another PostgreSQL server uses the data in ${directory} and does not respond on its socket. Stop it, then restart. ` +
        `The first line of ${directory}/postgres/postmaster.pid is its process id. ${printed}`,
    );
  }
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start. The data in ${directory} is unchanged. ${printed}\n` +
      `Fix the cause, set DATA_DIR to another directory, ${alternative}.`,
  );
}

/** Explains that only a different setup helps: `instead`, an imperative without a full stop. */
export function unsupportedError(problem: string, instead: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`${problem} ${instead}, ${alternative}.`, { cause });
}

const noise =
  /^\s*$|the database system is|LOG: +(starting PostgreSQL|listening on)|^pg_ctl: could not start|^Examine the log/;

/** The messages before the last one can name the line or the setting. */
function lastMessages(output: string): string {
  const lines = output.split('\n').filter((line) => !noise.test(line));
  return lines.slice(-4).join('\n  ');
}
