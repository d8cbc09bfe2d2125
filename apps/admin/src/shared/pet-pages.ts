import type { ListPetsOptions, PetPage } from '@petstore/client';
import { foldName, minPartLength, type Pet, searchWords } from '@petstore/contracts';
import { callApi } from './api.js';
import { parseTypedPetId } from './pet-id.js';

/**
 * One page of a list, with the total if `count` is set. A search for a number also finds the animal that has it: it is the
 * first one, unless the service finds its name.
 */
export async function readPetPage(query: ListPetsOptions, signal: AbortSignal): Promise<PetPage> {
  const [page, numbered] = await Promise.all([
    callApi((client) => client.listPets(query, { signal }).page(), signal),
    query.after === undefined ? readNumbered(query, signal) : undefined,
  ]);
  if (!numbered) return page;
  return { ...page, pets: [numbered, ...page.pets], total: page.total === undefined ? undefined : page.total + 1 };
}

/** The animal with the number that the words are, if it matches the other filters, and its name does not have the words. */
async function readNumbered({ q = '', ...filter }: ListPetsOptions, signal: AbortSignal): Promise<Pet | undefined> {
  const id = parseTypedPetId(q);
  if (id === undefined) return undefined;
  const pet = await callApi((client) => client.getPet(id, { signal }), signal);
  if (!pet || hasWords(pet.name, q)) return undefined;
  const categories = filter.categoryId === undefined ? [pet.categoryId] : [filter.categoryId].flat();
  const matches = categories.includes(pet.categoryId) && (filter.status ?? pet.status) === pet.status;
  return matches ? pet : undefined;
}

/** Whether the service finds the name by these words. */
function hasWords(name: string, q: string): boolean {
  const folded = ` ${foldName(name)}`;
  return searchWords(q).every((word) => folded.includes(Array.from(word).length < minPartLength ? ` ${word}` : word));
}

interface WalkOptions extends Omit<ListPetsOptions, 'limit'> {
  signal: AbortSignal;
}

/** All pages, the first one with the total if `count` is set. When the service rejects the key, the walk continues after the next sign-in. */
export async function* walkPets({ signal, ...options }: WalkOptions): AsyncGenerator<PetPage, void> {
  let page = await readPetPage({ ...options, limit: 100 }, signal);
  yield page;
  while (page.next !== undefined) {
    page = await readPetPage({ ...options, limit: 100, after: page.next, count: false }, signal);
    yield page;
  }
}
