import type { Measurement } from '../measure/load-target.js';
import type { TargetName } from '../targets/target.js';

/** The measurement of one server in one round of a scenario. */
export interface Result {
  readonly scenario: string;
  readonly target: TargetName;
  readonly round: number;
  readonly measured: Measurement;
}
