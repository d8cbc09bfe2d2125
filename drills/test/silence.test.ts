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
      // What else comes is read, and that is all.
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

describe('a service that takes every connection and then says nothing', () => {
  it('leaves those of a flood waiting', async () => {
    expect(await flood(service, 3, { ms: 100, answerMs: 200 })).toMatchObject({ unanswered: 3, broken: 0 });
  }, 30_000);

  it('owes an answer to what is too much in a body of allowed size', async () => {
    const tally = new Tally();
    await sendOversized(service, tally);
    expect(tally.wrong).toEqual(['nesting', 'number'].map((what) => `an oversized ${what} was answered nothing`));
  });

  it('owes one to nearly all random requests', async () => {
    const tally = new Tally();
    await fuzz(service, 100, tally);
    expect(tally.wrong).toContainEqual(expect.stringMatching(/^\d+ of 100 requests were not answered$/));
  });
});
