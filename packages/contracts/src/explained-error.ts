/** The message is complete for the user: what is wrong and how to fix it. Programs print it without a stack trace. */
export class ExplainedError extends Error {
  /** The exit code of a process that stops because of this error. */
  readonly exitCode: number = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
