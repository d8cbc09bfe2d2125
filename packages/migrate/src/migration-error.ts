import { ExplainedError } from '@petstore/contracts';
import type { DatabaseError } from 'pg';

/** A migration, or the connection for it, failed. The message contains the reason and the fix. */
export class MigrationError extends ExplainedError {}

/** The database is not reachable. */
export class ConnectionError extends MigrationError {}

/** Returns the message of an error as a sentence. `sql` is the rejected script: the sentence then names the line. */
export function reason(error: unknown, sql?: string): string {
  const { message, code, detail, position } = error as DatabaseError;
  const line = position && sql && `line ${sql.slice(0, Number(position)).split('\n').length}`;
  // The schema engine appends its own stack trace. A connection that fails on several addresses has a code only.
  const parts = [message.split(/\n\s+0: /)[0] || code, detail, line];
  return `${parts.flatMap((part) => (part ? [part.trim().replace(/\.$/, '')] : [])).join('; ')}.`;
}
