import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const requestsOfRead = 2300;
const pagesOfConnection = 64;

/** Pipelines small requests without a key, as many as one read has. Connects again whenever the service disconnects. */
export function floodWithSmallRequests(port: number, connections: number, signal: AbortSignal): void {
  const bytes = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requestsOfRead);
  const open = () => {
    if (signal.aborted) return;
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.resume().write(bytes);
    socket.on('close', () => setTimeout(open, 10));
  };
  for (let index = 0; index < connections; index += 1) open();
}

/** Opens 15 connections per second that request large pages and read nothing. */
export async function requestWithoutReading(port: number, key: string, signal: AbortSignal): Promise<void> {
  const request = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  while (!signal.aborted) {
    // A socket without a listener for data does not read.
    const socket = connect({ port, host: '127.0.0.1', signal }).on('error', () => undefined);
    socket.write(request.repeat(pagesOfConnection));
    await sleep(1000 / 15);
  }
}
