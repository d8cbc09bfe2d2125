import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flood } from '../src/flood/flood.js';
import { fuzz } from '../src/hostile/fuzz.js';
import { sendOversized } from '../src/hostile/odd-clients.js';
import type { Service } from '../src/servers/service.js';
import { Tally } from '../src/tally.js';

let server: Server;
let service: Service;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.once('data', (data) => {
      if (data.toString().startsWith('GET /healthz ')) socket.write('HTTP/1.1 200 OK\r\n\r\n');
      // Reads further requests without responding.
      socket.resume();
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const document = () => Promise.resolve(Response.json({ paths: { '/pets': {} } }));
  service = { port, pid: process.pid, fetch: document } as unknown as Service;
});
afterAll(() => void server.close());

describe('a service that accepts every connection and never responds', () => {
  it('fails a flood: its connections wait for a response', async () => {
    expect(await flood(service, 3, { ms: 100, responseMs: 200 })).toMatchObject({ unanswered: 3, broken: 0 });
  }, 30_000);

  it('fails oversized requests whose body has an allowed size', async () => {
    const tally = new Tally();
    await sendOversized(service, tally);
    expect(tally.wrong).toEqual(['nesting', 'number'].map((what) => `an oversized ${what} got no response`));
  });

  it('fails random requests', async () => {
    const tally = new Tally();
    await fuzz(service, 100, tally);
    expect(tally.wrong).toContainEqual(expect.stringMatching(/^\d+ of 100 requests got no response$/));
  });
});
