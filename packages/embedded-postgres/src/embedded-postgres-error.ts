import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExplainedError } from '@petstore/contracts';

/** The embedded PostgreSQL is not available. The message names the cause and its solution. */
export class EmbeddedPostgresError extends ExplainedError {}

/** A later attempt may succeed. */
export class RetryableError extends EmbeddedPostgresError {}

const alternative = 'or set DATABASE_URL to use your own PostgreSQL server';

/** For `catch`: returns `undefined` for a file that does not exist. Other errors do not show that it is missing. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Explains that the operating system rejected an operation on the data directory. */
export function directoryError(directory: string, cause: unknown): EmbeddedPostgresError {
  if (cause instanceof EmbeddedPostgresError) return cause;
  const { code, path = directory, message } = cause as NodeJS.ErrnoException;
  const fix = code === 'EACCES' || code === 'EPERM' ? accessAdvice(directory, path) : 'Fix the cause';
  return new EmbeddedPostgresError(
    `Cannot use the data directory ${directory}: ${message}. ${fix}, set DATA_DIR to another directory, ${alternative}.`,
    { cause },
  );
}

/** Names the owner of `path`, or of the nearest directory above it that this user can see. */
function accessAdvice(directory: string, path: string): string {
  try {
    const owner = nameOf(statSync(path).uid);
    const isData = path.startsWith(directory);
    return `${path} belongs to ${owner}${isData ? ': run this as that user' : '. Fix the cause'}`;
  } catch {
    return path === dirname(path) ? 'Fix the cause' : accessAdvice(directory, dirname(path));
  }
}

function nameOf(uid: number): string {
  const { status, stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' });
  return status === 0 ? `the user ${stdout.trim()}` : `user id ${uid}`;
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
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(output) ?? [];
  if (nameless !== undefined) {
    return unsupportedError(
      `The embedded PostgreSQL cannot create its database as user id ${nameless}, which has no name in /etc/passwd.`,
      `Run the service as a user with a name (in a container, as the user of its image), add a line such as ` +
        `"petstore:x:${nameless}:${nameless}::/:/sbin/nologin" to /etc/passwd`,
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
