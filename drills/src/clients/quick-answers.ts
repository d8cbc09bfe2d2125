import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../clock.js';
import type { Service } from '../servers/service.js';
import { seconds, type Tally } from '../tally.js';

const limitMs = 1000;
const paths = ['/healthz', '/v1/pets?limit=1'];

/** Requests health and a list again and again for `ms`. Each must succeed within 1 s. Returns the longest time in ms. */
export async function expectQuickAnswers(service: Service, ms: number, tally: Tally): Promise<number> {
  let slowest = 0;
  for (const begin = now(); now() - begin < ms; await sleep(20)) {
    for (const path of paths) {
      const sent = now();
      const response = await service.fetch(path);
      await response.text();
      slowest = Math.max(slowest, now() - sent);
      tally.expect(response.status === 200, `${path} returned ${response.status}`);
    }
  }
  tally.expect(slowest <= limitMs, `the slowest response took ${seconds(slowest)}`);
  return slowest;
}
