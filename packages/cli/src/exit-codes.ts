import { ExplainedError } from '@petstore/contracts';

/** The exit codes of the command. They are documented and do not change. */
export const exitCodes = {
  ok: 0,
  /** The service or a file cannot be used. */
  failed: 1,
  /** A wrong flag, argument or setting. */
  usage: 2,
  /** Some lines are invalid, rejected or unknown. */
  refusedLines: 3,
  notFound: 4,
  /** The API key is missing, invalid, or does not have the scope. */
  unauthorized: 5,
  interrupted: 130,
  /** The reader of the output, such as `head`, has ended. Shells use the same code. */
  brokenPipe: 141,
} as const;

/** A wrong flag, argument or setting. */
export class UsageError extends ExplainedError {
  override readonly exitCode = exitCodes.usage;
}

export class NotFound extends ExplainedError {
  override readonly exitCode = exitCodes.notFound;
}

export class Unauthorized extends ExplainedError {
  override readonly exitCode = exitCodes.unauthorized;
}
