import { setTimeout as sleep } from 'node:timers/promises';
import { apiKey } from '@petstore/processes/service-process.js';
import { now } from '../clock.js';
import type { Drill, Ground } from '../drill.js';
import { exchange } from '../hostile/exchange.js';
import { creationHead, sendWithoutReading } from '../hostile/raw-client.js';
import { Service } from '../servers/service.js';
import { number, type Tally } from '../tally.js';

const connections = 60;
const pipelined = 300;
const body = '{"name":"Rex","categoryId":7}';

export const accessLog: Drill = {
  name: 'access-log',
  about: 'a burst of 18,000 requests, and clients that reset the connection right after a creation',
  limitSeconds: 60,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const log: string[] = [];
    const onOutput = (text: string) => void log.push(text);
    const service = await Service.start(cleanup, { variables: { LOG_LEVEL: 'info' }, onOutput });
    const linesOf = (pattern: RegExp) => log.join('').match(pattern)?.length ?? 0;

    const sent = await sendBurst(service.port, isQuick ? 10 : connections);
    await expectLines(() => linesOf(/"path":"\/v1\/nothing"/g), sent, tally);
    const resets = await resetCreations(service.port, isQuick ? 20 : 200);
    await sleep(1000);
    const answer = await service.fetch('/v1/pets?limit=1', { headers: { prefer: 'count=exact' } });
    const stored = Number(answer.headers.get('x-total-count'));
    await expectLines(() => linesOf(/"method":"POST","path":"\/v1\/pets","status":201/g), stored, tally);
    const dropped = linesOf(/"msg":"Dropped \d+ log lines/g);
    tally.expect(dropped === 0, `${dropped} times lines were dropped`);
    tally.acknowledged = stored;
    tally.note(`${number(sent)} requests at once and ${number(stored)} creations of ${resets} resets: no line lost`);
  },
};

/** Pipelines requests on several connections. Returns how many it sent. */
async function sendBurst(port: number, count: number): Promise<number> {
  const request = `GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`;
  const bytes = Buffer.from(request.repeat(pipelined));
  await Promise.all(Array.from({ length: count }, () => exchange(port, bytes)));
  return count * pipelined;
}

/** Creates animals on separate connections, and resets each within 20 ms. */
async function resetCreations(port: number, count: number): Promise<number> {
  const request = creationHead(apiKey, body.length) + body;
  for (let index = 0; index < count; index += 1) {
    const socket = await sendWithoutReading(port, request);
    await sleep(index % 20);
    socket.resetAndDestroy();
  }
  return count;
}

/** Waits at most 10 s for as many log lines as there were requests. */
async function expectLines(count: () => number, expected: number, tally: Tally): Promise<void> {
  for (const begin = now(); count() < expected && now() - begin < 10_000;) await sleep(100);
  tally.expect(count() === expected, `${number(expected)} requests have ${number(count())} log lines`);
}
