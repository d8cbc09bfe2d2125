import type { Measurement } from '../measure/load-target.js';
import type { TargetName } from '../targets/target.js';

/** What came of one load of one server. */
export interface Result {
  readonly scenario: string;
  readonly target: TargetName;
  readonly round: number;
  readonly measured: Measurement;
}
