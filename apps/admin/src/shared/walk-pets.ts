import type { PetPage } from '@petstore/client';
import type { PetStatus } from '@petstore/contracts';
import { callApi } from './api.js';

interface Walk {
  status?: PetStatus | undefined;
  /** The cursor of the first page to read. */
  after?: string | undefined;
  /** Adds the total to the first page. */
  count?: boolean;
  signal: AbortSignal;
}

/** All pages, oldest animals first. When the service rejects the key, the walk continues after the next sign-in. */
export async function* walkPets({ status, after, count = false, signal }: Walk): AsyncGenerator<PetPage, void> {
  let query = { status, after, count, limit: 100 };
  let page: PetPage;
  do {
    const current = query;
    page = await callApi((client) => client.listPets(current, { signal }).page(), signal);
    yield page;
    query = { status, after: page.next, count: false, limit: 100 };
  } while (query.after !== undefined);
}
