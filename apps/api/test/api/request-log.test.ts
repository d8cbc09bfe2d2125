import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Gate } from '../../src/create-app.js';
import { PetsService } from '../../src/features/pets/pets.service.js';
import type { Config } from '../../src/platform/config/config.js';
import { readConfig } from '../../src/platform/config/config.js';
import { Api } from '../support/api.js';
import { sendOne } from '../support/raw-http.js';
import { holdPets } from '../support/scratch-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
afterEach(() => service.close());

/** The log line of the request with this id. */
async function lineOf(id: string): Promise<Record<string, unknown>> {
  const find = () => service.logged.find((line) => line['msg'] === 'request' && line['requestId'] === id);
  return expect
    .poll(find)
    .toBeTruthy()
    .then(() => find() ?? {});
}

const keys = [
  ['as it was created', 'psk_kI9o-2_abcdefghijklmnopqrstuvwxyz0123456789A'],
  ['as BOOTSTRAP_API_KEY sets it', 'my own "key" \\ with everything'.replaceAll(' ', '_')],
] as const;

describe('the request log', () => {
  it('names the animal that a create added or replayed', async () => {
    service = await startTestApp();
    const create = (id: string) =>
      service.api.post('/v1/pets', { name: 'Rex', categoryId: 7 }, { 'idempotency-key': 'a', 'x-request-id': id });
    const { json } = await create('one');
    await create('two');
    const petId = String((json as { id: bigint }).id);
    expect(await lineOf('one')).toMatchObject({ status: 201, apiKeyId: 1, petId });
    expect(await lineOf('two')).toMatchObject({ status: 201, apiKeyId: 1, petId });
    await service.api.post('/v1/pets', '{', { 'x-request-id': 'three' });
    expect(await lineOf('three')).not.toHaveProperty('petId');
  });

  it('has one line for each request, without the query', async () => {
    service = await startTestApp();
    await service.api.get('/v1/pets?limit=5&status=sold', { 'x-request-id': 'one' });
    expect(await lineOf('one')).toEqual({
      level: 30,
      time: expect.any(String) as string,
      requestId: 'one',
      method: 'GET',
      path: '/v1/pets',
      status: 200,
      ms: expect.any(Number) as number,
      address: '127.0.0.1',
      apiKeyId: 1,
      msg: 'request',
    });
    await new Api(service.url).send('POST', '/v1/nothing?x', { headers: { 'x-request-id': 'two' } });
    expect(await lineOf('two')).toMatchObject({ method: 'POST', path: '/v1/nothing', status: 401 });
    expect((await lineOf('two'))['apiKeyId']).toBeUndefined();
    await new Api(service.url).get('/v1/%zz', { 'x-request-id': 'three' });
    expect(await lineOf('three')).toMatchObject({ path: '/v1/%zz', status: 401 });
  });

  it('has at most 500 characters of a path', async () => {
    service = await startTestApp();
    await service.api.get(`/v1/${'x'.repeat(10_000)}`, { 'x-request-id': 'long' });
    expect((await lineOf('long'))['path']).toBe(`/v1/${'x'.repeat(496)}…`);
  });

  it.each(keys)('has no part of a key that is where a path is cut: %s', async (_how, key) => {
    service = await startTestApp({ bootstrapApiKey: key });
    await service.api.get(`/v1/${'x'.repeat(480)}${encodeURIComponent(key)}/${'x'.repeat(50)}`, {
      'x-request-id': 'cut',
    });
    const path = String((await lineOf('cut'))['path']);
    expect(path).toMatch(/^\/v1\/x{480}/);
    expect(path).not.toContain(key.slice(0, 6));
  });

  it.each(keys)('and the errors never contain a key %s', async (_how, key) => {
    service = await startTestApp({ bootstrapApiKey: key, logLevel: 'trace' });
    await service.keys.setBootstrapKey(key);
    const encoded = encodeURIComponent(key);
    const percent = [...key].map((letter) => `%${letter.codePointAt(0)?.toString(16)}`).join('');
    const authorization = `Authorization: Bearer ${key}`;
    const validKey = `Authorization: Bearer ${service.key}`;
    const json = JSON.stringify({ [key]: key, name: 'Rex', categoryId: key });
    const body = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`];
    const responses = [];
    for (const target of [
      '/v1/pets',
      `/v1/${encoded}`,
      `/${percent}`,
      `/v1/pets/${percent}`,
      `/v1/%zz${percent}`,
      `/x?key=${encoded}`,
      `/v1/pets?${encoded}=${encoded}`,
    ]) {
      for (const header of [authorization, validKey])
        responses.push(await sendOne(service.url, `GET ${target} HTTP/1.1`, [header]));
    }
    responses.push(
      await sendOne(service.url, 'POST /v1/pets HTTP/1.1', [validKey, ...body], json),
      await sendOne(service.url, 'POST /v1/pets HTTP/1.1', [validKey, ...body, `Idempotency-Key: ${key} ${key}`], json),
      await sendOne(service.url, 'GET /healthz HTTP/1.1', [`X-Request-Id: ${key}`]),
    );
    service.clock.now = () => {
      throw new Error(`no clock for ${key}`);
    };
    responses.push(await sendOne(service.url, 'GET /v1/pets HTTP/1.1', [authorization]));
    await expect.poll(() => service.logged.filter(({ msg }) => msg === 'request').length).toBe(responses.length);
    for (const text of [JSON.stringify(service.logged), ...responses.map((response) => response.text)]) {
      for (const form of [key, encoded, percent, JSON.stringify(key).slice(1, -1)]) expect(text).not.toContain(form);
    }
  });
});

describe('the request log of a client that disconnects', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `gone-${index}`);
  const linesOfIds = () => service.logged.filter((line) => ids.includes(String(line['requestId'])));

  /** A creation, without its body if `isComplete` is false. */
  function creation(id: string, isComplete = true): string {
    const body = '{"name":"Rex","categoryId":7}';
    const head = [
      'POST /v1/pets HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${id}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${isComplete ? body : ''}`;
  }

  /**
   * Sends each text on its own connection, waits until the service has `count` requests and `isReady`, and resets the
   * connections. Returns whether the service has noticed.
   */
  async function sendAndReset(texts: string[], count: number, isReady = () => true): Promise<() => boolean> {
    const server: Server = service.app.getHttpServer();
    let arrived = 0;
    let closed = 0;
    server.on('request', () => (arrived += 1));
    server.on('connection', (socket) => socket.once('close', () => (closed += 1)));
    const sockets = texts.map((text) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
      socket.write(text);
      return socket;
    });
    await expect.poll(() => arrived).toBe(count);
    await expect.poll(isReady).toBe(true);
    for (const socket of sockets) socket.resetAndDestroy();
    return () => closed === texts.length;
  }

  it.each([
    ['connections', 1],
    ['pipelined requests', 10],
  ])('has one line for each request that is committed later: %s', async (_what, pipelined) => {
    service = await startTestApp();
    const hold = await holdPets(service.databaseUrl);
    const texts = [];
    for (let first = 0; first < ids.length; first += pipelined) {
      texts.push(
        ids
          .slice(first, first + pipelined)
          .map((id) => creation(id))
          .join(''),
      );
    }
    const create = vi.spyOn(service.app.get(PetsService), 'create');
    // A pipelined request that has arrived may still wait for its turn.
    const isClosed = await sendAndReset(texts, ids.length, () => create.mock.calls.length === ids.length);
    await expect.poll(isClosed).toBe(true);
    await hold.end();
    await expect.poll(() => linesOfIds().length).toBe(ids.length);
    expect(new Set(linesOfIds().map(({ requestId }) => requestId))).toEqual(new Set(ids));
    for (const line of linesOfIds()) {
      expect(line).toMatchObject({ status: 201, aborted: true, address: '127.0.0.1', apiKeyId: 1, msg: 'request' });
    }
    expect((await service.sql('SELECT count(*)::int AS pets FROM pet'))[0]).toEqual({ pets: ids.length });
  });

  it('has one line for each pipelined request that was still waiting', async () => {
    service = await startTestApp();
    const hold = await holdPets(service.databaseUrl);
    await sendAndReset([ids.map((id) => creation(id)).join('')], ids.length);
    // The service does not read the connection: it notices the reset when it sends a response.
    await hold.end();
    await expect.poll(() => linesOfIds().length).toBe(ids.length);
    expect(new Set(linesOfIds().map(({ requestId }) => requestId))).toEqual(new Set(ids));
    const discarded = linesOfIds().filter(({ msg }) => msg === 'discarded: the connection closed');
    expect(discarded.length).toBeGreaterThan(0);
    for (const line of discarded) {
      expect(line).toMatchObject({ method: 'POST', path: '/v1/pets', aborted: true, address: '127.0.0.1' });
    }
    const [created] = await service.sql('SELECT count(*)::int AS pets FROM pet');
    expect(created).toEqual({ pets: ids.length - discarded.length });
  });

  it('has one line for each request whose body did not arrive', async () => {
    service = await startTestApp();
    await sendAndReset(
      ids.map((id) => creation(id, false)),
      ids.length,
    );
    await expect.poll(() => linesOfIds().length).toBe(ids.length);
    for (const line of linesOfIds()) expect(line).toMatchObject({ status: 400, aborted: true });
  });

  it('has one line for each request that waited for the start', async () => {
    const gate = new Gate();
    service = await startTestApp({ gate });
    const isClosed = await sendAndReset(
      ids.map((id) => creation(id)),
      ids.length,
    );
    await expect.poll(isClosed).toBe(true);
    gate.open();
    await expect.poll(() => linesOfIds().length).toBe(ids.length);
    for (const line of linesOfIds()) expect(line).toMatchObject({ status: 400, aborted: true, address: '127.0.0.1' });
  });
});

describe('TRUST_PROXY', () => {
  const forwarded = '203.0.113.9, 198.51.100.7, 10.1.1.1';

  it.each([
    [undefined, '127.0.0.1'],
    ['1', '10.1.1.1'],
    ['2', '198.51.100.7'],
    ['99', '203.0.113.9'],
    ['127.0.0.1', '10.1.1.1'],
    ['127.0.0.0/8, 10.0.0.0/8', '198.51.100.7'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['127.0.0.1/32,10.0.0.0/8,198.51.100.0/24,fd00::/8', '203.0.113.9'],
  ])('is %s: the log contains the address %s', async (value, address) => {
    const { trustProxy }: Config = readConfig({ TRUST_PROXY: value });
    service = await startTestApp({ trustProxy });
    await service.api.get('/v1/pets', { 'x-forwarded-for': forwarded, 'x-request-id': 'forwarded' });
    expect(await lineOf('forwarded')).toMatchObject({ address });
  });
});
