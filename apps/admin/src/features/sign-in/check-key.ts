import { petstoreClient } from '../../shared/petstore.js';

/** Asks for one animal with a key. @throws what the service answers, PetstoreApiError with 401 for a wrong key. */
export async function checkKey(key: string): Promise<void> {
  // Without retries: after too many wrong keys they would wait for a minute without a word.
  await petstoreClient(key, 0).listPets({ limit: 1 }).page();
}
