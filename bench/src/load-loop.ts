import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { Load, LoopResult } from './load.js';

/** A thread that loads a server, and posts a `LoopResult`. Each connection has one request in flight. */
const { port, connections, requests, warmupMs, ms } = workerData as Load;
const measuredFrom = performance.now() + warmupMs;
const endsAt = measuredFrom + ms;
const endOfHead = '\r\n\r\n';
const empty = Buffer.alloc(0);
const times: number[] = [];
let sent = 0;

function loadOnOneConnection(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, timeout: 30_000 });
    let sentAt = 0;
    let received: Buffer = empty;
    const send = () => {
      sentAt = performance.now();
      socket.write(requests[(sent += 1) % requests.length] as string);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('timeout', () => reject(new Error('No response within 30 s.')));
    socket.on('close', () => reject(new Error('The server closed a connection.')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (received.length < lengthOf(received)) return;
      received = empty;
      const now = performance.now();
      if (sentAt >= measuredFrom) times.push(now - sentAt);
      if (now < endsAt) return send();
      resolve();
      socket.destroy();
    });
  });
}

/** The length of the whole response. */
function lengthOf(received: Buffer): number {
  const headBytes = received.indexOf(endOfHead);
  if (headBytes === -1) return Infinity;
  const head = received.toString('latin1', 0, headBytes);
  const [, bodyBytes] = /^content-length: (\d+)/im.exec(head) ?? [];
  if (head.startsWith('HTTP/1.1 2') && bodyBytes) return headBytes + endOfHead.length + Number(bodyBytes);
  throw new Error(`An unexpected response:\n${received.toString()}`);
}

await Promise.all(Array.from({ length: connections }, loadOnOneConnection));
const seconds = (performance.now() - measuredFrom) / 1_000;
const sorted = Float64Array.from(times).toSorted();
const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const result: LoopResult = {
  sent,
  perSecond: times.length / seconds,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
parentPort?.postMessage(result);
