import type { NewPet, Pet } from '@petstore/contracts';
import type { Journal } from './journal.js';

/** Creates an animal by one request. A `PetstoreClient` without retries: the import repeats requests. */
export interface PetCreator {
  createPet(newPet: NewPet, options: { idempotencyKey: string }): Promise<Pet>;
}

/** Settings of that client. */
export const importClientOptions = { timeoutMs: 30_000, retries: 0 };

/** Long enough for a restart or an upgrade of the service. */
export const usualPatienceMs = 300_000;

/** What `importPets` needs besides the file. */
export interface ImportOptions {
  client: PetCreator;
  /** The `baseUrl` of the client. */
  serviceUrl: string;
  /** The id of the client's API key. */
  apiKeyId: string;
  journal: Journal;
  /**
   * Returns the lines to leave out, in ascending order, for example those of `findRepeats`. Called once per import, before
   * the first create. The journal stores them, so that a continued import leaves out the same lines.
   */
  linesToSkip?: (() => Promise<readonly number[]>) | undefined;
  /** The number of simultaneous requests. Default: 32. */
  concurrency?: number | undefined;
  /**
   * How long requests are repeated while the service does not answer, in ms since its last answer. Time in which the device
   * sleeps does not count. Then the import stops. Default: 0, which does not wait for the rate limit either.
   */
  patienceMs?: number | undefined;
  /** Called when the service stops answering, if the import is patient. */
  onWait?: (() => void) | undefined;
  /** Called before the import waits for the rate limit. */
  onLimit?: ((seconds: number) => void) | undefined;
  /** Stops the import after the requests that are running. */
  signal?: AbortSignal | undefined;
  /** Receives the outcome of each line, also those of earlier runs. */
  onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** The outcome of a line. */
export type Outcome =
  | { state: 'created'; line: number; petId: bigint; isEarlier: boolean }
  /** `linesToSkip` returned the line. */
  | { state: 'skipped'; line: number }
  /** The service rejected the animal. */
  | { state: 'rejected'; line: number; reason: string; isEarlier: boolean }
  /** The request failed. The next run repeats it, which cannot add the animal twice. */
  | { state: 'interrupted'; line: number; reason: string }
  /** An earlier run sent the line and got no response. It is too late to repeat it safely, so no run sends it again. */
  | { state: 'unknown'; line: number; reason: string };

/** The number of lines with each outcome. */
export interface ImportResult {
  created: number;
  /** The animals that earlier runs created. `created` does not contain them. */
  createdEarlier: number;
  skipped: number;
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
