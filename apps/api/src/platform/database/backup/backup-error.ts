import { ExplainedError } from '@petstore/contracts';

/** A backup or a restore failed. The message names the cause and what was changed. */
export class BackupError extends ExplainedError {}

const insufficientPrivilege = '42501';

/** Adds what was attempted to an error of the file system or of PostgreSQL. */
export function explain(attempt: string, error: unknown): BackupError {
  if (error instanceof BackupError) return error;
  const { code, message } = error as { code?: string; message: string };
  const advice = code === insufficientPrivilege ? ' Set DATABASE_URL to a URL of the owner of the tables.' : '';
  return new BackupError(`${attempt} failed: ${message}.${advice}`, { cause: error });
}
