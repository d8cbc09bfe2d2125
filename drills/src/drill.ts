import type { Cleanup } from '@petstore/processes/cleanup.js';
import { ExplainedError } from '@petstore/contracts';
import type { Tally } from './tally.js';

/** A fault and what the service promises when it occurs. */
export interface Drill {
  /** The name for `--only`. */
  readonly name: string;
  /** Describes the fault in one line of the help. */
  readonly about: string;
  /** The time limit, after which the drill has failed. */
  readonly limitSeconds: number;
  run(context: DrillContext, tally: Tally): Promise<void>;
}

export interface DrillSettings {
  /** Runs the short form: the same checks, repeated less often. */
  readonly isQuick: boolean;
  /** Replaces the number of animals of a drill. */
  readonly animals?: number | undefined;
}

/** The environment of a drill. */
export interface DrillContext extends DrillSettings {
  /** Runs after the drill, even if it fails. */
  readonly cleanup: Cleanup;
}

/** This machine does not support the drill. The message contains the reason. */
export class DrillSkipped extends ExplainedError {}
