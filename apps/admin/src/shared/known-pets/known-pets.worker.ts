import type { Pet } from '@petstore/contracts';
import { expose } from 'comlink';
import { type ApiFailure, createClient, toApiFailure } from '../client.js';
import { PetIndex } from './pet-index.js';
import { PetWalk } from './pet-walk.js';

/** A store may limit the requests per minute. The walk runs in the background, so it can wait. */
const maxRetryAfterMs = 60_000;

const index = new PetIndex();
const walk = new PetWalk(index);

const knownPets = {
  /** Reads what is new, or continues the first walk. Returns the error of the service; other errors are thrown. */
  async update(apiKey: string, onProgress: (searched: number) => void): Promise<ApiFailure | undefined> {
    try {
      await walk.update(createClient(apiKey, { maxRetryAfterMs }), onProgress);
      return undefined;
    } catch (error) {
      return toApiFailure(error);
    }
  },
  isLimitReached: () => index.isLimitReached,
  add: index.add.bind(index),
  findByName: index.findByName.bind(index),
  findSame: index.findSame.bind(index),
  compare: (animals: readonly Pick<Pet, 'name' | 'categoryId'>[]) => ({
    ids: index.compare(animals),
    limit: index.isLimitReached ? index.limit : undefined,
  }),
};

export type KnownPetsWorker = typeof knownPets;
expose(knownPets);
