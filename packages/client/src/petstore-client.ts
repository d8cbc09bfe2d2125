import { int64, type NewPet, type Pet } from '@petstore/contracts';
import { readPage, readPet, readTotal } from './responses.js';
import { stringifyFlat } from './exact-json.js';
import { checkIdempotencyKey, newIdempotencyKey } from './idempotency-key.js';
import { checkOptions, type PetstoreClientOptions, type RequestOptions } from './options.js';
import { type ListPetsOptions, PagedPets, type PetList } from './pet-list.js';
import { Transport } from './transport.js';

export interface CreatePetOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. A repeated create with the same key and the same animal returns the existing animal
   * for 24 hours. By default each call generates a key for its retries. Pass your own if you may repeat the call itself.
   */
  idempotencyKey?: string | undefined;
}

/**
 * A client of the Petstore API.
 * Every operation throws `PetstoreApiError`, `PetstoreNetworkError`, `PetstoreTimeoutError`, or the reason of its signal.
 */
export class PetstoreClient {
  private readonly transport: Transport;

  /** @throws TypeError with the name of the invalid option and what is allowed. */
  constructor(options: PetstoreClientOptions) {
    this.transport = new Transport(checkOptions(options));
  }

  /** Lists all animals, or those with a status. Sends no request until you read the list. */
  listPets(query: ListPetsOptions = {}, { signal }: RequestOptions = {}): PetList {
    const { status, limit, order, count } = query;
    const headers = count ? { prefer: 'count=exact' } : {};
    const read = async (after: string | undefined) => {
      const response = await this.transport.send({ searchParams: { status, limit, order, after }, headers }, signal);
      return { ...(await readPage(response)), total: count ? readTotal(response) : undefined };
    };
    return new PagedPets(read, query.after);
  }

  /**
   * Creates an animal.
   * @throws TypeError if `categoryId` is a number beyond 2^53, which is already rounded.
   */
  async createPet(newPet: NewPet, { idempotencyKey, signal }: CreatePetOptions = {}): Promise<Pet> {
    const key = idempotencyKey === undefined ? newIdempotencyKey() : checkIdempotencyKey(idempotencyKey);
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return readPet(await this.transport.send({ method: 'post', body: stringifyFlat(newPet), headers }, signal));
  }

  /**
   * Returns the animal with this id, or `undefined`.
   * @throws TypeError if the id is not a `bigint`.
   */
  async getPet(id: bigint, { signal }: RequestOptions = {}): Promise<Pet | undefined> {
    if (typeof id !== 'bigint') throw new TypeError(`\`id\` must be a bigint, not a ${typeof id}.`);
    // The service would reject the id as an invalid parameter.
    if (id < int64.min || id > int64.max) return undefined;
    const { pets } = await readPage(await this.transport.send({ searchParams: { id: String(id) } }, signal));
    return pets[0];
  }
}
