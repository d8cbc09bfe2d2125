import { ExplainedError } from '@petstore/contracts';

/** The embedded PostgreSQL is not available. The message names the cause and its solution. */
export class EmbeddedPostgresError extends ExplainedError {}

const alternative = 'or set DATABASE_URL to use your own PostgreSQL server';

/** The operating system rejected an operation on the data directory. */
export function directoryError(directory: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  return new EmbeddedPostgresError(
    `Cannot use the data directory ${directory}: ${(cause as Error).message}. Nothing in it was changed. ` +
      `Fix the cause, set DATA_DIR to another directory, ${alternative}.`,
    { cause },
  );
}

/** A PostgreSQL program failed. `output` is what it printed. */
export function programError(directory: string, output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start. The data in ${directory} is unchanged. PostgreSQL printed:\n` +
      `${lastErrors(output)}\n${acceptedModes(directory, output)}Fix the cause, set DATA_DIR to another directory, ${alternative}.`,
  );
}

/** PostgreSQL leaves them out of a terse log. */
function acceptedModes(directory: string, output: string): string {
  if (!output.includes('has invalid permissions')) return '';
  return `Permissions should be u=rwx (0700) or u=rwx,g=rx (0750). Run: chmod 700 ${directory}/postgres\n`;
}

/** Another PostgreSQL server uses the data directory. */
export function inUseError(directory: string, output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another PostgreSQL server uses the data in ${directory} and does not respond on its socket. Stop it, then restart. ` +
      `The first line of ${directory}/postgres/postmaster.pid is its process id. PostgreSQL printed:\n${lastErrors(output)}`,
  );
}

/** The operating system could not execute a PostgreSQL program. */
export function executionError(cause: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot run the embedded PostgreSQL (${cause.message}). Its programs need the GNU C library, which Alpine Linux does ` +
      `not have, and the user that runs the database needs access to them. Fix this, ${alternative}.`,
    { cause },
  );
}

/** Only a different setup helps. `instead` describes it as an imperative without a full stop. */
export function unsupportedError(problem: string, instead: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`${problem} ${instead}, ${alternative}.`);
}

const noise = /the database system is|LOG: +(starting PostgreSQL|listening on|database system is shut down)/;

function lastErrors(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !noise.test(line));
  const errors = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line));
  // The messages before this error name the line or the setting.
  const isConfiguration = /contains errors|could not load/.test(errors.at(-1) ?? '');
  const last = (errors.length > 0 && !isConfiguration ? errors : lines).slice(-3);
  return last.map((line) => `  ${line.trim()}`).join('\n');
}
