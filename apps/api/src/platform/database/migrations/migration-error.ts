import { DatabaseError } from 'pg';
import { ExplainedError } from '../../errors/explained-error.js';

/** Why the database is not migrated. */
export class MigrationError extends ExplainedError {}

/**
 * What went wrong in the words of PostgreSQL, or of whoever knows most of it, ended by a full stop. `sql` is the text
 * that PostgreSQL refused, when its line is to be named.
 */
export function reason(error: unknown, sql?: string): string {
  if (error instanceof DatabaseError) return sentence([error.message, error.detail, lineOf(error, sql)]);
  const { message, code } = error as NodeJS.ErrnoException;
  // What the engine says ends in a trace of its own insides. A failure at several addresses has no message, only a code.
  return sentence([message.split(/\n\s+0: /)[0] || code]);
}

function lineOf({ position }: DatabaseError, sql?: string): string | undefined {
  return position && sql && `line ${sql.slice(0, Number(position)).split('\n').length}`;
}

function sentence(parts: (string | undefined)[]): string {
  const said = parts.flatMap((part) => (part ? [part.trim().replace(/\.$/, '')] : []));
  return `${said.join('; ')}.`;
}
