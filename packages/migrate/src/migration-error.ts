import { ExplainedError } from '@petstore/contracts';
import { DatabaseError } from 'pg';

/** A migration, or the connection for it, failed. The message contains the reason and the fix. */
export class MigrationError extends ExplainedError {}

/** The database is not reachable. */
export class ConnectionError extends MigrationError {}

/** The role lacks a right, and perhaps others. */
export class MissingRightError extends MigrationError {}

/** Returns the message of an error as a sentence. `sql` is the rejected script: the sentence then names the line. */
export function reason(error: unknown, sql?: string): string {
  if (error instanceof DatabaseError) return sentence([error.message, error.detail, lineOf(error, sql)]);
  const { message, code } = error as NodeJS.ErrnoException;
  // The schema engine appends its own stack trace. A connection that fails on several addresses has a code only.
  return sentence([message.split(/\n\s+0: /)[0] || code]);
}

function lineOf({ position }: DatabaseError, sql?: string): string | undefined {
  return position && sql && `line ${sql.slice(0, Number(position)).split('\n').length}`;
}

function sentence(parts: (string | undefined)[]): string {
  const given = parts.flatMap((part) => (part ? [part.trim().replace(/\.$/, '')] : []));
  return `${given.join('; ')}.`;
}
