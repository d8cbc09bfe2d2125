import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../servers/service.js';
import type { Tally } from '../tally.js';

/** Clients that send each create once, without retries. */
export class PlainWriters {
  readonly acknowledged = new Map<string, bigint>();
  /** The names of the animals whose create got no response. */
  readonly unanswered: string[] = [];
  readonly #running: Promise<void>[];
  #isFinishing = false;

  constructor(
    private readonly service: Service,
    private readonly tally: Tally,
    { writers, prefix }: { writers: number; prefix: string },
  ) {
    this.#running = Array.from({ length: writers }, (_, writer) => this.#write(`${prefix} of writer ${writer}`));
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
  }

  async #write(prefix: string): Promise<void> {
    for (let number = 0; !this.#isFinishing; number += 1) {
      const name = `animal ${number} ${prefix}`;
      const body = JSON.stringify({ name, categoryId: 1 });
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      try {
        this.#check(name, await this.service.fetch('/v1/pets', request).then(read));
      } catch {
        this.unanswered.push(name);
        await sleep(20);
      }
    }
  }

  #check(name: string, { status, text }: { status: number; text: string }): void {
    if (status === 201) {
      this.tally.acknowledged += 1;
      this.acknowledged.set(name, BigInt(/"id":(\d+)/.exec(text)?.[1] ?? 0));
    } else if (status === 503) this.tally.rejected += 1;
    else this.tally.wrong.push(`a create returned ${status}: ${text.slice(0, 200)}`);
  }
}

async function read(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() };
}
