import type { Pet } from '@petstore/contracts';

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

  /** The best matches first: the whole name, its beginning, the beginning of a word, any part. Then the newest. */
  findByName(text: string, limit: number): Pet[] {
    const searched = fold(text.trim());
    const ranked = this.all().map(({ pet, folded }) => ({ pet, rank: rankOf(folded, searched) }));
    const matches = ranked.filter(({ rank }) => rank < noMatch);
    matches.sort((a, b) => a.rank - b.rank || newestFirst(a.pet, b.pet));
    return matches.slice(0, limit).map(({ pet }) => pet);
  }

  /** The animals of a category with this name, whatever its case and accents. The newest first. */
  findSame(name: string, categoryId: bigint): Pet[] {
    const searched = fold(name.trim());
    const same = this.all().filter(({ pet, folded }) => pet.categoryId === categoryId && folded.trim() === searched);
    return same.map(({ pet }) => pet).toSorted(newestFirst);
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

const noMatch = 4;

function rankOf(folded: string, searched: string): number {
  const position = folded.indexOf(searched);
  if (position === -1) return noMatch;
  if (position === 0) return folded.length === searched.length ? 0 : 1;
  return folded.includes(` ${searched}`) ? 2 : 3;
}

function newestFirst(a: Pet, b: Pet): number {
  return a.id > b.id ? -1 : 1;
}

/** Staff find "Zoë" by "zoe". */
function fold(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
