import type { NewPet, Pet } from '@petstore/contracts';
import type { Outcome } from './import-result.js';
import type { Journal } from './journal.js';

/** Creates an animal. A `PetstoreClient`, or something with its errors. */
export interface PetCreator {
  createPet(newPet: NewPet, options: { idempotencyKey: string }): Promise<Pet>;
}

export interface ImportOptions {
  client: PetCreator;
  /** The `baseUrl` of the client. */
  serviceUrl: string;
  /** The id of the client's API key. */
  apiKeyId: string;
  journal: Journal;
  /** Imports the valid lines of a file that also has invalid ones. */
  skipInvalid?: boolean | undefined;
  /** The valid lines that are left out. A run that continues an import must get the same ones. */
  leftOut?: ReadonlySet<number> | undefined;
  /** The number of simultaneous requests. Default: 32. */
  concurrency?: number | undefined;
  /** Stops the import after the requests that are running. */
  signal?: AbortSignal | undefined;
  /** Receives the outcome of each line, also those of earlier runs. */
  onOutcome?: ((outcome: Outcome) => void) | undefined;
}
