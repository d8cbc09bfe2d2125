import {
  idempotencyKeyPattern,
  isInt64,
  listQueryText,
  type NewPet as ExactNewPet,
  type Pet,
  stringifyJson,
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

/** An animal to create. */
export interface NewPet extends Omit<ExactNewPet, 'categoryId'> {
  /** Any int64: an opaque reference. No category needs to exist. A `number` must be a safe integer. */
  categoryId: bigint | number;
}

/** The options of `createPet`. */
export interface CreatePetOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. A repeated create with the same key and the same animal returns the existing animal
   * for 24 hours. By default each call generates a key for its retries. Pass your own if you may repeat the call itself.
   */
  idempotencyKey?: string | undefined;
}

/** The options of a page, whose categories are exact. */
type PageOptions = Omit<ListPetsOptions, 'categoryId'> & { categoryId: bigint[] | undefined };

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
   * Lists all animals, or those that match a filter. Sends no request until you read the list: iterate with `for await` over all
   * animals, or `await` the first page.
   * @throws TypeError at once if an option does not exist, or a category is not an integer.
   */
  listPets(query: ListPetsOptions = {}, options: RequestOptions = {}): PetList {
    checkOptionNames(query, listOptionNames, 'listPets');
    checkOptionNames(options, requestOptionNames, 'a request');
    const { categoryId, ...others } = query;
    const categories =
      categoryId === undefined ? undefined : [categoryId].flat().map((id) => toBigint('categoryId', id));
    return new PetList((page) => this.readPage({ ...others, categoryId: categories, ...page }, options), query);
  }

  /**
   * Creates an animal, and retries safely: all attempts of a call have the same idempotency key.
   * @throws TypeError if `categoryId` is a number that is not a safe integer: it may be rounded.
   */
  createPet(newPet: NewPet, options: CreatePetOptions = {}): ApiPromise<Pet> {
    return toApiPromise(async () => {
      checkOptionNames(options, createOptionNames, 'createPet');
      // The service names the other faults of an animal.
      if (typeof newPet.categoryId === 'number') toBigint('categoryId', newPet.categoryId);
      const { idempotencyKey, ...request } = options;
      const key = idempotencyKey === undefined ? newIdempotencyKey() : checkIdempotencyKey(idempotencyKey);
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const response = await this.#transport.send({ method: 'post', body: stringifyJson(newPet), headers }, request);
      return toApiResponse(response, await readPet(response));
    });
  }

  /**
   * Returns the animal with this id, or `undefined`. It reads the list, because the operation getPet is deprecated.
   * @throws TypeError if the id is not an integer.
   */
  getPet(id: bigint | number, options: RequestOptions = {}): ApiPromise<Pet | undefined> {
    return toApiPromise(async () => {
      checkOptionNames(options, requestOptionNames, 'getPet');
      const exact = toBigint('id', id);
      // The service rejects other ids. None of its animals has 0.
      const known = isInt64(exact) ? exact : 0n;
      const response = await this.#transport.send({ searchParams: listQueryText({ id: known }) }, options);
      const { pets } = await readPage(response);
      return toApiResponse(response, pets[0]);
    });
  }

  private readPage({ count, ...query }: PageOptions, options: RequestOptions): ApiPromise<PetPage> {
    return toApiPromise(async () => {
      const headers = count ? { prefer: 'count=exact' } : {};
      const searchParams = listQueryText(query);
      const response = await this.#transport.send({ searchParams, headers }, options);
      const page = { ...(await readPage(response)), total: count ? readTotal(response) : undefined };
      return toApiResponse(response, page);
    });
  }
}

/** @throws TypeError if it is not an integer, or a number that may be rounded. */
function toBigint(name: string, value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw new TypeError(
    `\`${name}\` must be a bigint, or a number that is an integer up to ${Number.MAX_SAFE_INTEGER}. Convert a text with BigInt().`,
  );
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
