import { once } from 'node:events';
import type { Socket } from 'node:net';
import { apiKey, type TestService } from '@petstore/processes/test-service.js';
import { expect } from 'vitest';
import { connectTo } from './service.js';

const body = '{"name":"Rex","categoryId":7}';
const head = [
  'POST /v1/pets HTTP/1.1',
  'Host: a',
  `Authorization: Bearer ${apiKey}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  'Expect: 100-continue',
];

/** A create that the service has accepted: it waits for the body, which no database timeout ends. */
export class PendingCreate {
  private constructor(private readonly socket: Socket) {}

  static async open(service: TestService): Promise<PendingCreate> {
    const socket = await connectTo(service);
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toContain('100 Continue');
    return new PendingCreate(socket);
  }

  /** Sends the body, and returns the status of the response. */
  async complete(): Promise<number> {
    this.socket.write(body);
    const [response] = (await once(this.socket, 'data')) as [Buffer];
    return Number(String(response).split(' ')[1]);
  }
}

/** Stops the service during 16 creates, and completes them. Returns their statuses and the exit code of the service. */
export async function stopDuringCreates(service: TestService) {
  const creates = await Promise.all(Array.from({ length: 16 }, () => PendingCreate.open(service)));
  const ended = service.end('SIGTERM');
  const connects = () => connectTo(service).then((socket) => Boolean(socket.destroy()));
  await expect.poll(() => connects().catch(() => false)).toBe(false);
  const statuses = await Promise.all(creates.map((create) => create.complete()));
  return { statuses: new Set(statuses), exitCode: await ended };
}
