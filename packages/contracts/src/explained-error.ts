/** The message is complete for the user: what is wrong and how to fix it. Programs print it without a stack trace. */
export class ExplainedError extends Error {
  /** The exit code of a process that stops because of this error. */
  readonly exitCode: number = 1;

  // Not `ErrorOptions`: programs that use the client may compile for ES2020.
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}
