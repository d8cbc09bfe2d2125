import { ExplainedError } from '../../errors/explained-error.js';

/** Why there is no embedded PostgreSQL. The message is complete for people: what is wrong, and what to do about it. */
export class EmbeddedPostgresError extends ExplainedError {}

const wayOut = 'or set DATABASE_URL to use a PostgreSQL server of your own';

const causes: Record<string, string> = {
  EACCES: 'permission is denied (it must belong to the user that runs the service)',
  EPERM: 'permission is denied (it must belong to the user that runs the service)',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file is in the way of a folder',
  EEXIST: 'a file is in the way of a folder',
};

/** For what the operating system refuses while a folder is prepared. */
export function folderError(folder: string, error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const cause = causes[code] ?? message;
  return new EmbeddedPostgresError(
    `Cannot keep the embedded database in ${folder}: ${cause}. Nothing in it was changed. ` +
      `Put that right, choose another folder with DATA_DIR, ${wayOut}.`,
    { cause: error },
  );
}

const systemMessages: Record<string, string> = {
  'No space left on device': 'ENOSPC',
  'Disk quota exceeded': 'EDQUOT',
  'Permission denied': 'EACCES',
  'Read-only file system': 'EROFS',
};

/** For a PostgreSQL program that ended before its work was done; `output` is what it said, oldest first. */
export function programError(folder: string, output: string): EmbeddedPostgresError {
  const words = lastWords(output);
  const code = Object.entries(systemMessages).find(([text]) => words.includes(text))?.[1] ?? '';
  const cause = causes[code] ? ` ${folder}: ${causes[code]}.` : '';
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start.${cause} The data is untouched. PostgreSQL said:\n${words}\n` +
      `Put that right, choose another folder with DATA_DIR, ${wayOut}.`,
  );
}

/** For another PostgreSQL that is in the way. */
export function heldError(folder: string, output: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Another PostgreSQL, or what is left of one, uses the data in ${folder} and does not answer on its socket. ` +
      `Stop it, then start again; the number of its process is the first line of ${folder}/postgres/postmaster.pid. ` +
      `PostgreSQL said:\n${lastWords(output)}`,
  );
}

/** For a PostgreSQL program that could not even be started. */
export function launchError(error: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot run the PostgreSQL that comes with the service (${error.message}). Its programs need the GNU C library, which ` +
      `Alpine Linux lacks, and the user that runs the database must be able to reach them: put that right, ${wayOut}.`,
    { cause: error },
  );
}

/** For everything that only another way to run the service can change. */
export function unsupportedError(why: string, instead: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(`${why} ${instead}, ${wayOut}.`);
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const failures = lines.filter(
    (line) => /\b(FATAL|PANIC|ERROR|error):/.test(line) && !line.includes('the database system is'),
  );
  return (failures.length > 0 ? failures : lines)
    .slice(-3)
    .map((line) => `  ${line.trim()}`)
    .join('\n');
}
