import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../src/load/load-job.js';
import { LoadRun } from '../src/load/load-run.js';

const rex = '{"id":1,"name":"Zoë","categoryId":7,"status":"sold"}';
const get: Exchange = { request: 'GET /v1/pets/1 HTTP/1.1\r\nHost: test\r\n\r\n', status: 200, body: rex };
const create: Exchange = {
  request: 'POST /v1/pets HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n',
  status: 201,
  body: ',"name":"Rex"}',
  assignsId: true,
};

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function load(server: Server | ReturnType<typeof createSocketServer>, exchange: Exchange) {
  const run = await loadRun(server, exchange);
  await run.turn();
  return run.end();
}

async function loadRun(server: Server | ReturnType<typeof createSocketServer>, exchange: Exchange): Promise<LoadRun> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const job = { port, connections: 4, warmupMs: 50, durationMs: 100, exchanges: [exchange] };
  return new LoadRun(job, { measuring: () => undefined, measured: () => undefined });
}

const responding = (status: number, body: string): RequestListener => {
  const bytes = Buffer.from(body);
  return (_request, response) => response.writeHead(status, { 'Content-Length': bytes.length }).end(bytes);
};

describe('the load tool', () => {
  it('counts and times correct responses', async () => {
    const result = await load(createServer(responding(200, rex)), get);
    expect(result.responses).toBeGreaterThan(0);
    expect(result.seconds).toBeGreaterThan(0.09);
    expect(result.p50Ms).toBeGreaterThan(0);
    expect(result.p99Ms).toBeGreaterThanOrEqual(result.p50Ms);
  });

  it('reuses its connections in the next turn, and replaces those that the server has closed', async () => {
    let id = 0;
    const server = createServer((request, response) =>
      responding(201, `{"id":${(id += 1)},"name":"Rex"}`)(request, response),
    );
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const run = await loadRun(server, create);
    await run.turn();
    await run.turn();
    expect(connections).toBe(4);
    server.closeAllConnections();
    // Until the client has noticed.
    await sleep(50);
    await run.turn();
    expect(connections).toBe(8);
    const result = run.end();
    expect(result.seconds).toBeGreaterThan(0.27);
    expect(result.added.count).toBe(id);
  });

  it('assembles a response that arrives in parts and exceeds its buffer', async () => {
    const body = `"${'ü'.repeat(100_000)}"`;
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).write(body.slice(0, 1_001));
      setTimeout(() => response.end(body.slice(1_001)), 5);
    });
    expect((await load(server, { ...get, body })).responses).toBeGreaterThan(0);
  });

  it('sums up the created animals', async () => {
    let id = 0;
    const server = createServer((request, response) =>
      responding(201, `{"id":${(id += 1)},"name":"Rex"}`)(request, response),
    );
    const { added } = await load(server, create);
    expect(added.count).toBe(id);
    expect(added.idSum).toBe((id * (id + 1)) / 2);
    // The most recent ones are kept.
    const kept = added.last.filter((animal) => animal !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    for (const animal of kept) {
      expect(animal.body).toBe(create.body);
      expect(animal.id).toBeLessThanOrEqual(id);
    }
  });

  it.each([
    ['another status', get, responding(503, rex), /wrong response to GET \/v1\/pets\/1 .*expected 200.*got +503/s],
    ['another animal', get, responding(200, rex.replace('7', '8')), /got +200 .*"categoryId":8/s],
    ['less than the whole body', get, responding(200, rex.slice(0, -1)), /wrong response/],
    [
      'a create that stored another animal',
      create,
      responding(201, '{"id":1,"name":"Max"}'),
      /expected 201 \{"id":….*Max/s,
    ],
    ['a create without an id', create, responding(201, '{"id":0,"name":"Rex"}'), /wrong response to POST/],
  ])('fails with both responses after %s', async (_, exchange, listener, message) => {
    await expect(load(createServer(listener), exchange)).rejects.toThrow(message);
  });

  it('fails when a second response arrives for one request', async () => {
    const response = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(rex)}\r\n\r\n${rex}`;
    const server = createSocketServer((socket) =>
      socket.on('data', () => socket.write(response + response)).on('error', () => undefined),
    );
    await expect(load(server, get)).rejects.toThrow('The server sent more than one response.');
  });

  it('fails when a response arrives between two turns', async () => {
    const sockets: Socket[] = [];
    const server = createServer(responding(200, rex)).on('connection', (socket) => sockets.push(socket));
    const run = await loadRun(server, get);
    await run.turn();
    sockets[0]?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(rex)}\r\n\r\n${rex}`);
    await sleep(50);
    await expect(run.turn()).rejects.toThrow('The server sent more than one response.');
  });

  it('fails when a connection closes without a response', async () => {
    const server = createSocketServer((socket) => socket.on('data', () => socket.end()).on('error', () => undefined));
    await expect(load(server, get)).rejects.toThrow('closed a connection without a response');
  });
});
