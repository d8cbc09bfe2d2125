import { int64, type NewPet, type Pet } from '@petstore/contracts';
import { readPage, readPet, readTotal } from './answers.js';
import { stringifyFlat } from './exact-json.js';
import { checkIdempotencyKey, newIdempotencyKey } from './idempotency-key.js';
import { checkOptions, type PetstoreClientOptions, type RequestOptions } from './options.js';
import { type ListPetsOptions, PagedPets, type PetList } from './pet-list.js';
import { Transport } from './transport.js';

export interface CreatePetOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. Within 24 hours, the same key with the same animal gives the animal that is there
   * already. When omitted, each call makes one of its own, so that its retries never make a second animal; give your own
   * where the call itself may be repeated.
   */
  idempotencyKey?: string | undefined;
}

/**
 * The way to a Petstore.
 * Every operation throws `PetstoreApiError`, `PetstoreNetworkError`, `PetstoreTimeoutError`, or the reason of its signal.
 */
export class PetstoreClient {
  private readonly transport: Transport;

  /** @throws TypeError when an option is not as described; it names the option and what is allowed. */
  constructor(options: PetstoreClientOptions) {
    this.transport = new Transport(checkOptions(options));
  }

  /** All animals, or those of a status. Nothing is asked for before the first of them is. */
  listPets(query: ListPetsOptions = {}, { signal }: RequestOptions = {}): PetList {
    const { status, limit, order, count } = query;
    const headers = count ? { prefer: 'count=exact' } : {};
    const read = async (after: string | undefined) => {
      const answer = await this.transport.send({ searchParams: { status, limit, order, after }, headers }, signal);
      return { ...(await readPage(answer)), total: count ? readTotal(answer) : undefined };
    };
    return new PagedPets(read, query.after);
  }

  /**
   * Adds an animal.
   * @throws TypeError for a `categoryId` that is a number beyond 2^53, as it has lost digits already.
   */
  async createPet(newPet: NewPet, { idempotencyKey, signal }: CreatePetOptions = {}): Promise<Pet> {
    const key = idempotencyKey === undefined ? newIdempotencyKey() : checkIdempotencyKey(idempotencyKey);
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return readPet(await this.transport.send({ method: 'post', body: stringifyFlat(newPet), headers }, signal));
  }

  /**
   * One animal; `undefined` when none has the id.
   * @throws TypeError when the id is no `bigint`.
   */
  async getPet(id: bigint, { signal }: RequestOptions = {}): Promise<Pet | undefined> {
    if (typeof id !== 'bigint') throw new TypeError(`id must be a bigint, it is a ${typeof id}`);
    // The service would refuse it as a mistake in the query.
    if (id < int64.min || id > int64.max) return undefined;
    const { pets } = await readPage(await this.transport.send({ searchParams: { id: String(id) } }, signal));
    return pets[0];
  }
}
