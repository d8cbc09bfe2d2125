import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

/** A path that needs no database. */
export const livePath = '/healthz';
/** That path, then one request of each kind that needs the database. */
const paths = [livePath, '/readyz', '/v1/pets?limit=1', '/v1/pets?status=sold', '/v1/pets?id=1', '/v1/pets/1'] as const;
const counted = { headers: { prefer: 'count=exact' } };
const intervalMs = 200;

export interface ProbeResult {
  path: string;
  status: number;
  ms: number;
}

/** Sends requests of all kinds every 200 ms during a fault, without waiting for responses. */
export class Probes {
  readonly #results: Promise<ProbeResult>[] = [];
  readonly #end = new AbortController();
  readonly #sending: Promise<void>;

  constructor(
    private readonly service: Service,
    private readonly tally: Tally,
  ) {
    this.#sending = this.#send();
  }

  /** Stops sending. Resolves to all results after the last response. */
  async finish(): Promise<ProbeResult[]> {
    this.#end.abort();
    await this.#sending;
    return Promise.all(this.#results);
  }

  async #send(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      for (const path of paths) this.#results.push(this.#request(path));
      this.#results.push(this.#request('/v1/pets?limit=2', counted));
      await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #request(path: string, init?: RequestInit): Promise<ProbeResult> {
    const begin = now();
    try {
      const response = await this.service.fetch(path, init);
      const text = await response.text();
      const ms = now() - begin;
      this.#check(path, response, text);
      return { path, status: response.status, ms };
    } catch (error) {
      const ms = now() - begin;
      this.tally.wrong.push(`${path} got no response in ${seconds(ms)}: ${(error as Error).message}`);
      return { path, status: 0, ms };
    }
  }

  #check(path: string, { status, ok, headers }: Response, text: string): void {
    if (ok || status === 404) return;
    const mayReject = path !== livePath;
    if (status !== 503 || !mayReject) {
      return void this.tally.wrong.push(`${path} returned ${status}: ${text.slice(0, 200)}`);
    }
    this.tally.rejected += 1;
    this.tally.expect(headers.has('retry-after'), `${path} returned 503 without Retry-After`);
    const body = JSON.parse(text) as object;
    this.tally.expect(Object.keys(body).join() === 'code,message,status', `${path} returned ${text.slice(0, 200)}`);
  }
}
