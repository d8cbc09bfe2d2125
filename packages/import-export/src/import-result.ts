/** The outcome of a line. */
export type Outcome =
  | { state: 'created'; line: number; petId: bigint; isEarlier: boolean }
  /** The service rejected the animal. */
  | { state: 'rejected'; line: number; reason: string; isEarlier: boolean }
  /** The request failed. The next run repeats it, which cannot add the animal twice. */
  | { state: 'interrupted'; line: number; reason: string }
  /** An earlier run sent the line and got no response. It is too late to repeat it safely, so no run sends it again. */
  | { state: 'unknown'; line: number; reason: string };

export interface ImportResult {
  created: number;
  /** By earlier runs. */
  createdEarlier: number;
  rejected: number;
  interrupted: number;
  unknown: number;
  /** Whether the run reached the end of the file. */
  isComplete: boolean;
  /** Why the run stopped early, unless its signal was aborted. */
  failure: Error | undefined;
}

/** The message is complete for the user: what is wrong and how to fix it. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
