/** An error whose message tells a person what is wrong and how to fix it. It is printed without a stack. */
export class ExplainedError extends Error {
  /** The exit code of the process when this error stops it. */
  readonly exitCode: number = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
