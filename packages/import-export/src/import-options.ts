import type { CreatePetOptions, NewPet, Pet } from '@petstore/client';
import type { Outcome } from './import-result.js';
import type { Journal } from './journal.js';

export interface ImportOptions {
  /** A `PetstoreClient`. */
  client: { createPet(newPet: NewPet, options?: CreatePetOptions): Promise<Pet> };
  /** The `baseUrl` of the client. */
  serviceUrl: string;
  /** The id of the client's API key. */
  apiKeyId: string;
  journal: Journal;
  /** Imports the valid lines of a file that also has invalid ones. */
  skipInvalid?: boolean | undefined;
  /** The number of simultaneous requests. Default: 32. */
  concurrency?: number | undefined;
  /** Stops the import after the requests that are running. */
  signal?: AbortSignal | undefined;
  /** Receives the outcome of each line, also those of earlier runs. */
  onOutcome?: ((outcome: Outcome) => void) | undefined;
}
