import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey } from '@petstore/processes/service-process.js';
import type { Service } from '../servers/service.js';
import { FloodConnection } from './flood-connection.js';

const body = '{"name":"Rex","categoryId":7}';
const create = [
  'POST /v1/pets HTTP/1.1',
  'Host: 127.0.0.1',
  `Authorization: Bearer ${apiKey}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n');

interface FloodTimes {
  /** How long requests are sent. */
  ms: number;
  /** The time limit for the last responses. */
  responseMs?: number;
}

/** The results of a flood. */
export interface FloodResult {
  /** Number of responses by status. */
  statuses: ReadonlyMap<number, number>;
  /** Creates per second, after the first tenth of the time. */
  goodput: number;
  /** The slowest response of any status. */
  slowestMs: number;
  refusedWithoutRetryAfter: number;
  /** Connections that closed while they waited for a response. */
  broken: number;
  /** Connections that got no response within `responseMs`. */
  unanswered: number;
}

/** Simulates clients that create animals without pauses and ignore Retry-After. */
export async function flood(
  { port }: Service,
  connections: number,
  { ms, responseMs = 10_000 }: FloodTimes,
): Promise<FloodResult> {
  const count = new FloodCount();
  const open = Array.from({ length: connections }, () => new FloodConnection(port, count));
  await Promise.all(open.map(({ accepted }) => accepted));
  for (const connection of open) connection.start();
  await sleep(ms / 10);
  const [begin, before] = [performance.now(), count.added];
  await sleep(ms * 0.9);
  const goodput = ((count.added - before) * 1000) / (performance.now() - begin);
  count.isOver = true;
  for (const end = performance.now() + responseMs; performance.now() < end; await sleep(10)) {
    if (!open.some(({ isWaiting }) => isWaiting)) break;
  }
  const unanswered = open.filter(({ isWaiting }) => isWaiting).length;
  for (const connection of open) connection.destroy();
  const { statuses, slowestMs, refusedWithoutRetryAfter, broken } = count;
  return { statuses, goodput, slowestMs, refusedWithoutRetryAfter, broken, unanswered };
}

class FloodCount {
  readonly statuses = new Map<number, number>();
  slowestMs = 0;
  refusedWithoutRetryAfter = 0;
  broken = 0;
  isOver = false;

  get added(): number {
    return this.statuses.get(201) ?? 0;
  }

  next(): string | undefined {
    return this.isOver ? undefined : create;
  }

  responded(status: number, head: string, ms: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.slowestMs = Math.max(this.slowestMs, ms);
    if (status === 503 && !/\r\nretry-after: \d/i.test(head)) this.refusedWithoutRetryAfter += 1;
  }

  broke(): void {
    this.broken += 1;
  }
}
