import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { errors, failures } from './page.js';
import { closeStore, openedStore } from './store.js';

/** The highest number of an animal when the test began first. */
let newestId = 0;

beforeEach(async ({ task }) => {
  const store = openedStore();
  if (!store) return;
  // A retry begins without the animals of the attempt that failed.
  if (task.result?.retryCount) {
    await store.sql(`DELETE FROM idempotency_record WHERE pet_id > ${newestId}`);
    await store.sql(`DELETE FROM pet WHERE id > ${newestId}`);
    return;
  }
  newestId = (await store.sql<{ id: number }>('SELECT coalesce(max(id), 0)::int AS id FROM pet'))[0]?.id ?? 0;
});
afterEach(() => expect([...errors.splice(0), ...failures.splice(0)]).toEqual([]));
afterAll(closeStore);
