/** Its message is all that a person needs. */
export class ExplainedError extends Error {}
