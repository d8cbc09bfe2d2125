import type { PetstoreClient } from '@petstore/client';
import type { Tally } from '../tally.js';

/** Compares the acknowledged animals (name to id) with all stored ones: each must be stored exactly once, and no other. */
export async function audit(
  client: PetstoreClient,
  acknowledged: ReadonlyMap<string, bigint>,
  tally: Tally,
): Promise<void> {
  const stored = new Map<string, bigint[]>();
  for await (const { id, name } of client.listPets({ limit: 100 })) {
    stored.set(name, [...(stored.get(name) ?? []), id]);
  }
  for (const [name, id] of acknowledged) if (!stored.get(name)?.includes(id)) tally.lost += 1;
  for (const [name, ids] of stored) {
    if (ids.length > 1) tally.duplicated += ids.length - 1;
    tally.expect(acknowledged.has(name), `"${name}" is stored but was not acknowledged`);
  }
}
