import { setTimeout as sleep } from 'node:timers/promises';
import type { Pet } from '@petstore/contracts';
import type { Api, Answer } from './api.js';

/** Clients that add animals one after the other, each retried under its idempotency key until it has its 201. */
export class WritingClients {
  /** Name and id of each animal that was acknowledged. */
  readonly acknowledged = new Map<string, bigint>();
  /** Answers that are neither a 201 nor one that says to try again. */
  readonly unexpected: Answer[] = [];
  private readonly running: Promise<void>[];
  private finishing = false;

  constructor(
    private readonly api: Api,
    count: number,
  ) {
    this.running = Array.from({ length: count }, (_, client) => this.write(client));
  }

  /** Has each client end with the animal it is at. */
  async finish(): Promise<Map<string, bigint>> {
    this.finishing = true;
    await Promise.all(this.running);
    return this.acknowledged;
  }

  /** All animals there are, by a walk over the pages. */
  async storedAnimals(): Promise<Pet[]> {
    const animals: Pet[] = [];
    for (let path: string | undefined = '/v1/pets?limit=100'; path;) {
      const { json, headers }: Answer = await this.api.get(path);
      animals.push(...(json as Pet[]));
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return animals;
  }

  private async write(client: number): Promise<void> {
    for (let number = 0; !this.finishing; number += 1) {
      const name = `animal ${number} of client ${client}`;
      this.acknowledged.set(name, await this.create(name));
    }
  }

  private async create(name: string): Promise<bigint> {
    for (;;) {
      const answer = await this.attempt(name);
      if (answer?.status === 201) return (answer.json as Pet).id;
      if (answer && answer.status !== 503 && answer.status !== 409) {
        this.unexpected.push(answer);
        throw new Error(`unexpected answer ${answer.status}: ${answer.text}`);
      }
      await sleep(20);
    }
  }

  /** `undefined` when the answer was lost. */
  private attempt(name: string): Promise<Answer | undefined> {
    const key = name.replaceAll(' ', '-');
    return this.api.post('/v1/pets', { name, categoryId: 1 }, { 'idempotency-key': key }).catch(() => undefined);
  }
}
