import type { NewPet, Pet } from '@petstore/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { ageOf, currentKnownPets, findSamePets, refreshKnownPetsWithin } from '../../shared/known-pets/known-pets.js';
import { parsePetId } from '../../shared/pet-id.js';
import { cachedPets } from './pet-queries.js';

/** The store has animals with the name and category of a new one. The person decides: nothing can be deleted later. */
export class SamePetsExist extends Error {
  constructor(
    readonly pets: readonly [Pet, ...Pet[]],
    /** The names of the new animals that the store has. */
    readonly repeatedNames: readonly string[],
    /** The number of new animals. */
    readonly total: number,
  ) {
    super('An animal with this name is already in the store');
  }
}

/** The animals of the store are still being read, so one of them may be the same. */
export class NotCompared extends Error {
  constructor() {
    super('Not compared yet with all animals of the store');
  }
}

/** Most stores are read in this time. */
const maxWaitMs = 3000;
/** A slow update does not delay an animal if the last one was not long ago. */
const maxAgeMs = 5 * 60_000;

/** @throws SamePetsExist or NotCompared */
export async function checkSamePets(animals: readonly NewPet[], queryClient: QueryClient): Promise<void> {
  await refreshKnownPetsWithin(maxWaitMs);
  const found = await Promise.all(animals.map((animal) => findSame(animal, queryClient)));
  const [first, ...others] = new Map(found.flat().map((pet) => [pet.id, pet])).values();
  const repeated = animals.filter((_, index) => found[index]?.length !== 0).map(({ name }) => name);
  if (first) throw new SamePetsExist([first, ...others], repeated, animals.length);
  const { isComplete, updatedAt = 0 } = currentKnownPets();
  if (!isComplete || ageOf(updatedAt) > maxAgeMs) throw new NotCompared();
}

async function findSame({ name, categoryId }: NewPet, queryClient: QueryClient): Promise<Pet[]> {
  const cached = cachedPets(queryClient).filter((pet) => pet.name === name && pet.categoryId === categoryId);
  // Without an answer, the code of the search did not load.
  const known = (await Promise.race([findSamePets(name, categoryId), sleep(maxWaitMs)])) ?? [];
  return [...cached, ...known];
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}

/** A label that was scanned into a field of the form, or a number that may be one. */
export interface ScannedCode {
  id: bigint;
  /** Where the label was printed, if it is the label of another store. */
  otherOrigin?: string;
  /** The number, if it may be a name after all. */
  possibleName?: string;
}

/** The address of an animal's page is never a name or a category. `rest` is the field without it. */
export function readScannedLabel(text: string): { code: ScannedCode; rest: string } | undefined {
  const [address, origin = '', number = ''] = /(https?:\/\/[^/\s]+)\S*?\/pets\/(\d+)\/?/i.exec(text) ?? [];
  const id = parsePetId(number);
  if (address === undefined || id === undefined) return undefined;
  const isOther = origin.toLowerCase() !== location.origin;
  return { code: { id, ...(isOther && { otherOrigin: origin }) }, rest: text.replace(address, '').trim() };
}

/** Digits may be the number of an animal, or a name. */
export function readScannedNumber(name: string): ScannedCode | undefined {
  const id = parsePetId(name.trim());
  return id === undefined ? undefined : { id, possibleName: name.trim() };
}
