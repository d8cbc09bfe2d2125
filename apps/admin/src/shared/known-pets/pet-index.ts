import type { Pet } from '@petstore/contracts';

export interface FoundByName {
  /** The best matches first. */
  pets: Pet[];
  /** The number of all matches. */
  count: number;
}

interface IndexedPet {
  pet: Pet;
  /** The name without accents, in lower case. */
  folded: string;
}

/** The newest animals, in memory. */
export class PetIndex {
  private readonly byId = new Map<bigint, IndexedPet>();
  isLimitReached = false;

  constructor(readonly limit = 100_000) {}

  get size(): number {
    return this.byId.size;
  }

  add(pets: readonly Pet[]): void {
    for (const pet of pets) this.byId.set(pet.id, { pet, folded: fold(pet.name) });
    if (this.byId.size > this.limit) this.removeOldest();
  }

  /** All names that contain every word. Sold animals come after the others that match equally well. */
  findByName(text: string, limit: number): FoundByName {
    const searched = fold(text.trim());
    const words = searched.split(/\s+/);
    const matches = this.all().filter(({ folded }) => words.every((word) => folded.includes(word)));
    const ranked = matches.map(({ pet, folded }) => ({ pet, rank: rankOf(folded, searched), folded }));
    ranked.sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.pet.status === 'sold') - Number(b.pet.status === 'sold') ||
        Number(a.folded !== searched) - Number(b.folded !== searched) ||
        newestFirst(a.pet, b.pet),
    );
    return { pets: ranked.slice(0, limit).map(({ pet }) => pet), count: matches.length };
  }

  /** The animals of a category with this name, whatever its case and accents. The newest first. */
  findSame(name: string, categoryId: bigint): Pet[] {
    const searched = fold(name.trim());
    const same = this.all().filter(({ pet, folded }) => pet.categoryId === categoryId && folded.trim() === searched);
    return same.map(({ pet }) => pet).toSorted(newestFirst);
  }

  /** For each of these animals, the number of a known one with the same name and category. */
  compare(animals: readonly Pick<Pet, 'name' | 'categoryId'>[]): (bigint | undefined)[] {
    const ids = new Map(this.all().map(({ pet }) => [samePetKey(pet), pet.id]));
    return animals.map((animal) => ids.get(samePetKey(animal)));
  }

  private all(): IndexedPet[] {
    return [...this.byId.values()];
  }

  private removeOldest(): void {
    this.isLimitReached = true;
    const oldest = this.all().toSorted((a, b) => newestFirst(a.pet, b.pet));
    for (const { pet } of oldest.slice(this.limit)) this.byId.delete(pet.id);
  }
}

/** The beginning of the name first, then the beginning of a word, then any part, then the words in another order. */
function rankOf(folded: string, searched: string): number {
  if (folded.startsWith(searched)) return 0;
  if (folded.includes(` ${searched}`)) return 1;
  return folded.includes(searched) ? 2 : 3;
}

function newestFirst(a: Pet, b: Pet): number {
  return a.id > b.id ? -1 : 1;
}

/** Equal for animals of one category whose names differ only in case, accents and outer spaces. */
export function samePetKey({ name, categoryId }: Pick<Pet, 'name' | 'categoryId'>): string {
  return `${categoryId} ${fold(name).trim()}`;
}

/** Staff find "Zoë" by "zoe". */
function fold(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
