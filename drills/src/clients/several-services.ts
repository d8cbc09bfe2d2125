import { randomUUID } from 'node:crypto';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';

export const equalPosts = 40;

/** Sends equal creates with one idempotency key to all processes: only one animal may be created. */
export async function postEqually(services: Service[], acknowledged: Map<string, bigint>, tally: Tally): Promise<void> {
  const idempotencyKey = randomUUID();
  const name = `posted ${equalPosts} times, ${idempotencyKey}`;
  const post = (_: unknown, turn: number) =>
    at(services, turn).client({ retries: 5 }).createPet({ name, categoryId: 1n }, { idempotencyKey });
  const pets = await Promise.all(Array.from({ length: equalPosts }, post));
  tally.acknowledged += 1;
  acknowledged.set(name, pets[0]?.id ?? 0n);
  const ids = new Set(pets.map(({ id }) => id));
  tally.expect(ids.size === 1, `equal creates returned ${ids.size} different animals`);
}

/** An animal that one process acknowledged must be in the lists of the others immediately. */
export async function readElsewhere(
  services: Service[],
  acknowledged: Map<string, bigint>,
  tally: Tally,
): Promise<void> {
  const writer = acknowledged.size;
  const name = `read elsewhere ${writer}`;
  const { id } = await at(services, writer).client().createPet({ name, categoryId: 1n });
  tally.acknowledged += 1;
  acknowledged.set(name, id);
  const reader = at(services, writer + 1).client();
  const { pets } = await reader.listPets({ order: 'desc', limit: 1 }).page();
  tally.expect(pets[0]?.id === id, 'a list of another process lacks an acknowledged animal');
  tally.expect((await reader.getPet(id))?.name === name, 'another process did not find an acknowledged animal');
}

/** The item at this index of a repeated list. */
export function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
