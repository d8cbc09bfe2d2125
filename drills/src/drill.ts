import type { Cleanup } from '@petstore/processes/cleanup.js';
import { ExplainedError } from '@petstore/explained-error';
import type { Tally } from './tally.js';

/** Something that goes wrong, and what the service promises for it. */
export interface Drill {
  /** As `--only` takes it. */
  readonly name: string;
  /** What goes wrong, in a few words. */
  readonly about: string;
  /** After which it is given up and has failed. */
  readonly limitSeconds: number;
  run(ground: Ground, tally: Tally): Promise<void>;
}

/** What a drill is given. */
export interface Ground {
  /** Undoes what it makes, however it ends. */
  readonly cleanup: Cleanup;
  /** The short form: the same promises, shown less often. */
  readonly isQuick: boolean;
}

/** This machine does not allow it; the message says why. Neither passed nor failed. */
export class NotPossible extends ExplainedError {}
