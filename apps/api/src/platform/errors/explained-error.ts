/** An error whose message tells a person all: what is wrong, why, and what to do. It is shown without a stack. */
export class ExplainedError extends Error {
  /** What the process exits with when this stops it. */
  readonly exitCode: number = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
