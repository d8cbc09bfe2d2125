import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

/** Needs nothing but the process. */
export const livePath = '/healthz';
/** Requests of each kind that needs the database, behind the one that does not. */
const paths = [livePath, '/readyz', '/v1/pets?limit=1', '/v1/pets?status=sold', '/v1/pets?id=1', '/v1/pets/1'] as const;
const counted = { headers: { prefer: 'count=exact' } };
const everyMs = 200;

export interface ProbeResult {
  path: string;
  status: number;
  ms: number;
}

/** Asks a service for this and that, every 200 ms and without waiting for answers, while something is wrong with it. */
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

  /** Ends it; every result once the last answer is there. */
  async finish(): Promise<ProbeResult[]> {
    this.#end.abort();
    await this.#sending;
    return Promise.all(this.#results);
  }

  async #send(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      for (const path of paths) this.#results.push(this.#ask(path));
      this.#results.push(this.#ask('/v1/pets?limit=2', counted));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #ask(path: string, init?: RequestInit): Promise<ProbeResult> {
    const begin = now();
    try {
      const answer = await this.service.fetch(path, init);
      const text = await answer.text();
      const ms = now() - begin;
      this.#judge(path, answer, text);
      return { path, status: answer.status, ms };
    } catch (error) {
      const ms = now() - begin;
      this.tally.wrong.push(`${path} got no answer in ${seconds(ms)}: ${(error as Error).message}`);
      return { path, status: 0, ms };
    }
  }

  #judge(path: string, { status, ok, headers }: Response, text: string): void {
    if (ok || status === 404) return;
    const mayRefuse = path !== livePath;
    if (status !== 503 || !mayRefuse) {
      return void this.tally.wrong.push(`${path} answered ${status}: ${text.slice(0, 200)}`);
    }
    this.tally.refused += 1;
    this.tally.expect(headers.has('retry-after'), `${path} answered 503 without Retry-After`);
    const body = JSON.parse(text) as object;
    this.tally.expect(Object.keys(body).join() === 'code,message,status', `${path} answered ${text.slice(0, 200)}`);
  }
}
