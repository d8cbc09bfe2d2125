import {
  idempotencyKeyPattern,
  isInt64,
  listQueryText,
  type NewPet,
  type Pet,
  stringifyJson,
  typeNameOf,
} from '@petstore/contracts';
import { type ApiPromise, toApiPromise, toApiResponse } from './api-promise.js';
import {
  checkOptionNames,
  checkOptions,
  type PetstoreClientOptions,
  type RequestOptions,
  requestOptionNames,
} from './options.js';
import { listOptionNames, type ListPetsOptions, PetList, type PetPage } from './pet-list.js';
import { readPage, readPet, readTotal } from './responses.js';
import { Transport } from './transport.js';

/** The options of `createPet`. */
export interface CreatePetOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. A repeated create with the same key and the same animal returns the existing animal
   * for 24 hours. By default each call generates a key for its retries. Pass your own if you may repeat the call itself.
   */
  idempotencyKey?: string | undefined;
}

const createOptionNames: Record<keyof CreatePetOptions, true> = { ...requestOptionNames, idempotencyKey: true };

/**
 * A client of the Petstore API.
 * Every operation throws `PetstoreApiError`, `PetstoreNetworkError`, `PetstoreTimeoutError`, or the reason of its signal.
 * It throws a TypeError if an option does not exist or is invalid.
 */
export class PetstoreClient {
  readonly #transport: Transport;

  /** @throws TypeError with the name of the invalid option and what is allowed. */
  constructor(options: PetstoreClientOptions) {
    this.#transport = new Transport(checkOptions(options));
  }

  /**
   * Lists all animals, or those that match a filter. Sends no request until you read the list.
   * @throws TypeError at once if an option does not exist, or a category is not a `bigint`.
   */
  listPets(query: ListPetsOptions = {}, options: RequestOptions = {}): PetList {
    checkOptionNames(query, listOptionNames, 'listPets');
    checkOptionNames(options, requestOptionNames, 'a request');
    const { categoryId = [] } = query;
    for (const id of [categoryId].flat()) checkBigint('categoryId', id);
    return new PetList((page) => this.readPage({ ...query, ...page }, options), query.after);
  }

  /**
   * Creates an animal, and retries safely: all attempts of a call have the same idempotency key.
   * @throws TypeError if `categoryId` is a number beyond 2^53, which is already rounded.
   */
  createPet(newPet: NewPet, options: CreatePetOptions = {}): ApiPromise<Pet> {
    return toApiPromise(async () => {
      checkOptionNames(options, createOptionNames, 'createPet');
      rejectRounded(newPet);
      const { idempotencyKey, ...request } = options;
      const key = idempotencyKey === undefined ? newIdempotencyKey() : checkIdempotencyKey(idempotencyKey);
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const response = await this.#transport.send({ method: 'post', body: stringifyJson(newPet), headers }, request);
      return toApiResponse(response, await readPet(response));
    });
  }

  /**
   * Returns the animal with this id, or `undefined`. It reads the list, because the operation getPet ends in 2030.
   * @throws TypeError if the id is not a `bigint`.
   */
  getPet(id: bigint, options: RequestOptions = {}): ApiPromise<Pet | undefined> {
    return toApiPromise(async () => {
      checkOptionNames(options, requestOptionNames, 'getPet');
      checkBigint('id', id);
      // The service rejects other ids. None of its animals has 0.
      const known = isInt64(id) ? id : 0n;
      const response = await this.#transport.send({ searchParams: listQueryText({ id: known }) }, options);
      const { pets } = await readPage(response);
      return toApiResponse(response, pets[0]);
    });
  }

  private readPage({ count, categoryId, ...query }: ListPetsOptions, options: RequestOptions): ApiPromise<PetPage> {
    return toApiPromise(async () => {
      const headers = count ? { prefer: 'count=exact' } : {};
      const categories = categoryId === undefined ? undefined : [categoryId].flat();
      const searchParams = listQueryText({ ...query, categoryId: categories });
      const response = await this.#transport.send({ searchParams, headers }, options);
      const page = { ...(await readPage(response)), total: count ? readTotal(response) : undefined };
      return toApiResponse(response, page);
    });
  }
}

/** @throws TypeError for a number, which may be rounded. */
function checkBigint(name: string, value: unknown): void {
  if (typeof value !== 'bigint') throw new TypeError(`\`${name}\` must be a bigint, not ${typeNameOf(value)}.`);
}

/** Programs in JavaScript can pass anything. */
function rejectRounded(newPet: NewPet): void {
  if (typeof newPet !== 'object' || newPet === null) throw new TypeError('The new animal must be an object.');
  const values: unknown[] = Object.values(newPet);
  for (const value of values) {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new TypeError(`${value} is rounded. Use a bigint for integers beyond 2^53.`);
    }
  }
}

/** Creates a random key of 128 bits. */
export function newIdempotencyKey(): string {
  // Browsers offer `randomUUID` only in secure contexts, and a store's tablet may open the service over plain HTTP.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError if the key is invalid. */
function checkIdempotencyKey(key: string): string {
  // The pattern alone accepts null, which it reads as "null".
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key;
  throw new TypeError('`idempotencyKey` must be 1 to 255 visible ASCII characters.');
}
