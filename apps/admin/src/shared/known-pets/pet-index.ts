import { foldName, type Pet, type PetStatus, samePetKey } from '@petstore/contracts';

/** Which animals to find: those that match every given part. */
export interface PetFilter {
  /** Words of the name. A word may also be the beginning of the name of the category, or a status. */
  text?: string | undefined;
  status?: PetStatus | undefined;
  /** Any of these categories. Empty: all. */
  categories?: readonly bigint[] | undefined;
  /** Animals with a higher number than this one: those that were added later. */
  since?: bigint | undefined;
}

export interface FoundPets {
  pets: Pet[];
  /** The number of all matches. */
  count: number;
}

/** A part of the matches. By default, the best matches come first; an order by number ignores how well they match. */
export interface FoundPart {
  skip?: number;
  limit: number;
  order?: 'asc' | 'desc' | undefined;
}

/** The number of animals of a category, by status. */
export interface CategoryCount {
  categoryId: bigint;
  counts: Record<PetStatus, number>;
}

interface IndexedPet {
  pet: Pet;
  /** The name without accents, in lower case. */
  folded: string;
}

/** What a word of a search means besides a part of a name. */
interface Word {
  text: string;
  categories: ReadonlySet<bigint>;
}

/** The beginning of a category's name that a word must have: fewer letters match too many animals. */
const minCategoryLetters = 3;

/** The newest animals, in memory. */
export class PetIndex {
  private readonly byId = new Map<bigint, IndexedPet>();
  /** All animals, the newest first. `undefined` after a change. */
  private sorted: IndexedPet[] | undefined;
  /** The animals with the words of the last search. `undefined` after a change. */
  private found: { text: string; pets: readonly IndexedPet[] } | undefined;
  private added: Pet[] = [];
  /** The folded names of the categories. */
  private categoryNames: readonly [bigint, string][] = [];
  isLimitReached = false;

  constructor(readonly limit = 100_000) {}

  get size(): number {
    return this.byId.size;
  }

  get newest(): Pet | undefined {
    return this.all()[0]?.pet;
  }

  get oldest(): Pet | undefined {
    return this.all().at(-1)?.pet;
  }

  get(id: bigint): Pet | undefined {
    return this.byId.get(id)?.pet;
  }

  add(pets: readonly Pet[]): void {
    for (const pet of pets) {
      if (this.byId.has(pet.id)) continue;
      this.byId.set(pet.id, { pet, folded: foldName(pet.name) });
      this.added.push(pet);
      this.forgetSorted();
    }
    if (this.byId.size > this.limit) this.removeOldest();
  }

  clear(): void {
    this.byId.clear();
    this.added = [];
    this.forgetSorted();
    this.isLimitReached = false;
  }

  private forgetSorted(): void {
    this.sorted = undefined;
    this.found = undefined;
  }

  /** The animals that were added since the last call. */
  takeAdded(): Pet[] {
    const { added } = this;
    this.added = [];
    return added;
  }

  setCategoryNames(names: ReadonlyMap<bigint, string>): void {
    this.categoryNames = [...names].map(([id, name]) => [id, foldName(name)]);
    this.found = undefined;
  }

  /** The lowest number from `start` that no known animal has. */
  firstGap(start: bigint): bigint {
    let id = start > 1n ? start : 1n;
    while (this.byId.has(id)) id += 1n;
    return id;
  }

  /** The number of known animals with this number or a lower one. */
  countUpTo(id: bigint): number {
    return this.all().filter(({ pet }) => pet.id <= id).length;
  }

  /** Sold animals come after the others that match equally well. */
  find(filter: PetFilter, { skip = 0, limit, order }: FoundPart): FoundPets {
    const matches = this.matches(filter);
    const part = inOrder(matches, filter.text, order).slice(skip, skip + limit);
    return { pets: part.map(({ pet }) => pet), count: matches.length };
  }

  /** The animals of a category with this name, the newest first. Case and accents do not matter. */
  findSame(name: string, categoryId: bigint): Pet[] {
    const searched = foldName(name.trim());
    const same = this.all().filter(({ pet, folded }) => pet.categoryId === categoryId && folded.trim() === searched);
    return same.map(({ pet }) => pet);
  }

  /** For each of these animals, the number of a known one with the same name and category. */
  compare(animals: readonly Pick<Pet, 'name' | 'categoryId'>[]): (bigint | undefined)[] {
    const ids = new Map(this.all().map(({ pet }) => [samePetKey(pet), pet.id]));
    return animals.map((animal) => ids.get(samePetKey(animal)));
  }

  /** The matches of each category. The filter's own categories are ignored. */
  countCategories(filter: PetFilter): CategoryCount[] {
    const counted = new Map<bigint, CategoryCount>();
    for (const { pet } of this.matches({ ...filter, categories: [] })) {
      const { categoryId, status } = pet;
      const entry = counted.get(categoryId) ?? { categoryId, counts: { available: 0, pending: 0, sold: 0 } };
      entry.counts[status] += 1;
      counted.set(categoryId, entry);
    }
    return [...counted.values()];
  }

  /** The newest first. */
  private matches({ text = '', status, categories = [], since }: PetFilter): IndexedPet[] {
    const ids = new Set(categories);
    return this.withWords(text).filter(({ pet }) => {
      if (status !== undefined && pet.status !== status) return false;
      if (ids.size > 0 && !ids.has(pet.categoryId)) return false;
      return since === undefined || pet.id > since;
    });
  }

  /** Comparing words takes most of the time, and a page of results asks for the same words with each status. */
  private withWords(text: string): readonly IndexedPet[] {
    if (this.found?.text === text) return this.found.pets;
    const words = this.wordsOf(text);
    const pets = this.all().filter(({ pet, folded }) =>
      words.every(
        (word) => folded.includes(word.text) || word.categories.has(pet.categoryId) || pet.status === word.text,
      ),
    );
    this.found = { text, pets };
    return pets;
  }

  private wordsOf(text: string): Word[] {
    const words = foldName(text).split(/\s+/).filter(Boolean);
    return words.map((word) => {
      const isMeant = (name: string) => word.length >= minCategoryLetters && ` ${name}`.includes(` ${word}`);
      const categories = this.categoryNames.filter(([, name]) => isMeant(name) || name === word);
      return { text: word, categories: new Set(categories.map(([id]) => id)) };
    });
  }

  private all(): readonly IndexedPet[] {
    this.sorted ??= [...this.byId.values()].toSorted((a, b) => newestFirst(a.pet, b.pet));
    return this.sorted;
  }

  private removeOldest(): void {
    this.isLimitReached = true;
    for (const { pet } of this.all().slice(this.limit)) this.byId.delete(pet.id);
    this.forgetSorted();
  }
}

function inOrder(matches: readonly IndexedPet[], text = '', order?: 'asc' | 'desc'): readonly IndexedPet[] {
  if (order === 'asc') return matches.toReversed();
  if (order === 'desc' || text === '') return matches;
  const searched = foldName(text.trim());
  // Among equals, the newest stay first.
  const byRank: IndexedPet[][] = [];
  for (const match of matches) (byRank[rankOf(match, searched)] ??= []).push(match);
  return byRank.flat();
}

/**
 * The beginning of the name first, then the beginning of a word, then any part, then the words in another order. Among
 * these, sold animals last, and the whole name first.
 */
function rankOf({ pet, folded }: IndexedPet, searched: string): number {
  const rank = folded.startsWith(searched)
    ? 0
    : folded.includes(` ${searched}`)
      ? 1
      : folded.includes(searched)
        ? 2
        : 3;
  return rank * 4 + Number(pet.status === 'sold') * 2 + Number(folded !== searched);
}

function newestFirst(a: Pet, b: Pet): number {
  return a.id > b.id ? -1 : 1;
}
