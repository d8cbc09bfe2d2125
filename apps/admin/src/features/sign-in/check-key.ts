import type { PetstoreClient } from '@petstore/client';
import { petstoreClient } from '../../shared/petstore.js';

/** Asks for one animal with a key. @throws what the service answers, PetstoreApiError with 401 for a wrong key. */
export async function checkKey(key: string): Promise<void> {
  await clientWith(key).listPets({ limit: 1 }).page();
}

function clientWith(key: string): PetstoreClient {
  try {
    // Without retries: after too many wrong keys they would wait for a minute without a word.
    return petstoreClient(key, 0);
  } catch (error) {
    throw new Error('This is no API key: it has a space, a line break or a letter that keys do not have.', {
      cause: error,
    });
  }
}
