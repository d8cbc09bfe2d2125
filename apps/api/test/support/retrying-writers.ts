import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '@petstore/contracts';
import type { Api, ApiResponse } from './api.js';

/** Clients that create pets in sequence. Each retries with its idempotency key until it gets a 201. */
export class RetryingWriters {
  /** The name and id of each acknowledged pet. */
  readonly acknowledged = new Map<string, bigint>();
  /** Responses that are neither a 201 nor ask to retry. */
  readonly unexpected: ApiResponse[] = [];
  private readonly running: Promise<void>[];
  private isFinishing = false;

  constructor(
    private readonly api: Api,
    count: number,
  ) {
    this.running = Array.from({ length: count }, (_, client) => this.write(client));
  }

  /** Lets each client complete its current pet, then stops. */
  async finish(): Promise<Map<string, bigint>> {
    this.isFinishing = true;
    await Promise.all(this.running);
    return this.acknowledged;
  }

  /** Reads all pets, page by page. */
  async storedAnimals(): Promise<Pet[]> {
    const animals: Pet[] = [];
    for (let path: string | undefined = '/v1/pets?limit=100'; path;) {
      const { json, headers }: ApiResponse = await this.api.get(path);
      animals.push(...(json as Pet[]));
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return animals;
  }

  private async write(client: number): Promise<void> {
    for (let number = 0; !this.isFinishing; number += 1) {
      const name = `animal ${number} of client ${client}`;
      this.acknowledged.set(name, await this.create(name));
      // Leaves the processor to the process that starts.
      await sleep(5);
    }
  }

  private async create(name: string): Promise<bigint> {
    for (;;) {
      const response = await this.attempt(name);
      if (response?.status === 201) return (response.json as Pet).id;
      if (response && response.status !== 503 && response.status !== 409) {
        this.unexpected.push(response);
        throw new Error(`unexpected response ${response.status}: ${response.text}`);
      }
      await sleep(20);
    }
  }

  /** `undefined` when the response was lost. */
  private attempt(name: string): Promise<ApiResponse | undefined> {
    const key = name.replaceAll(' ', '-');
    return this.api.post('/v1/pets', { name, categoryId: 1 }, { 'idempotency-key': key }).catch(() => undefined);
  }
}
