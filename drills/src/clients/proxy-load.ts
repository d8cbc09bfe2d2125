import { now } from '../clock.js';
import { connectTo, type ProxyClient } from '../proxies/client.js';
import type { Proxy } from '../proxies/proxy.js';
import type { Tally } from '../tally.js';

const connections = 16;

/** Clients that send lists and creates through a proxy, one after the other, without an idempotency key and retries. */
export class ProxyLoad {
  /** The created animals: name to id. */
  readonly acknowledged = new Map<string, bigint>();
  #requests = 0;
  #failed = 0;
  #longestMs = 0;
  /** The clients stop at this number of requests. */
  #limit = Infinity;
  readonly #running: Promise<void>[];

  private constructor(
    private readonly proxy: Proxy,
    clients: ProxyClient[],
    private readonly tally: Tally,
  ) {
    this.#running = clients.map((client, index) => this.#send(client, index));
  }

  static async start(proxy: Proxy, tally: Tally): Promise<ProxyLoad> {
    const clients = await Promise.all(Array.from({ length: connections }, () => connectTo(proxy)));
    return new ProxyLoad(proxy, clients, tally);
  }

  /** Stops the clients when they have sent at least this many requests. */
  async finish(minRequests: number) {
    this.#limit = minRequests;
    await Promise.all(this.#running);
    return { requests: this.#requests, failed: this.#failed, longestMs: this.#longestMs };
  }

  async #send(client: ProxyClient, index: number): Promise<void> {
    for (let turn = 0; this.#requests < this.#limit; turn += 1) {
      this.#requests += 1;
      const begin = now();
      const name = `animal ${turn} of client ${index} behind ${this.proxy.name}`;
      await (turn % 5 === 0 ? this.#create(client, name) : this.#list(client)).catch((error: unknown) => {
        this.#fail(`${String(error)} after ${Math.round(now() - begin)} ms`);
      });
      this.#longestMs = Math.max(this.#longestMs, now() - begin);
    }
    client.close();
  }

  async #list(client: ProxyClient): Promise<void> {
    const { status, body } = await client.get('/v1/pets?limit=10');
    if (status !== 200) this.#fail(`a list returned ${status}: ${body.slice(0, 200)}`);
  }

  async #create(client: ProxyClient, name: string): Promise<void> {
    const { status, body } = await client.post('/v1/pets', JSON.stringify({ name, categoryId: 7 }));
    if (status !== 201) return this.#fail(`a create returned ${status}: ${body.slice(0, 200)}`);
    this.tally.acknowledged += 1;
    this.acknowledged.set(name, BigInt(/"id":(\d+)/.exec(body)?.[1] ?? 0));
  }

  #fail(failure: string): void {
    this.#failed += 1;
    this.tally.wrong.push(`${this.proxy.name}: ${failure}`);
  }
}
