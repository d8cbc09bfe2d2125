import type { Server } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PetsService } from '../../src/features/pets/pets.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createOf, openSocket, sendOne } from '../support/raw-http.js';
import { holdPets } from '../support/scratch-database.js';
import { startOn, startTestApp, useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

/** The log line of the request with this id. */
async function lineOf(id: string, { logged } = service): Promise<Record<string, unknown>> {
  const find = () => logged.find((line) => line['msg'] === 'request' && line['requestId'] === id);
  await expect.poll(find).toBeTruthy();
  return find() ?? {};
}

describe('the request log', () => {
  it('has one line for each request, without the query, and with at most 500 characters of the path', async () => {
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
    await service.anonymous.send('POST', '/v1/%zz?x', { headers: { 'x-request-id': 'two' } });
    expect(await lineOf('two')).toMatchObject({ method: 'POST', path: '/v1/%zz', status: 401 });
    expect(await lineOf('two')).not.toHaveProperty('apiKeyId');
    await service.api.get(`/v1/${'x'.repeat(10_000)}`, { 'x-request-id': 'long' });
    expect((await lineOf('long'))['path']).toBe(`/v1/${'x'.repeat(496)}…`);
  });

  it('names the animal that a create added or replayed', async () => {
    const create = (id: string, body: unknown) =>
      service.api.post('/v1/pets', body, { 'idempotency-key': 'a', 'x-request-id': id });
    const { json } = await create('created', { name: 'Rex', categoryId: 7 });
    await create('replayed', { name: 'Rex', categoryId: 7 });
    const petId = String((json as { id: bigint }).id);
    for (const id of ['created', 'replayed'])
      expect(await lineOf(id)).toMatchObject({ status: 201, apiKeyId: 1, petId });
    await create('refused', '{');
    expect(await lineOf('refused')).not.toHaveProperty('petId');
  });

  it.each([
    ['as it was created', 'psk_kI9o-2_abcdefghijklmnopqrstuvwxyz0123456789A'],
    ['as BOOTSTRAP_API_KEY sets it', 'my own "key" \\ with everything'.replaceAll(' ', '_')],
  ])('and the errors never contain a key %s', async (_how, key) => {
    const traced = await startTestApp({ bootstrapApiKey: key, logLevel: 'trace' });
    await traced.keys.setBootstrapKey(key);
    const encoded = encodeURIComponent(key);
    const percent = [...key].map((letter) => `%${letter.codePointAt(0)?.toString(16)}`).join('');
    const validKey = `Authorization: Bearer ${traced.key}`;
    const json = JSON.stringify({ [key]: key, name: 'Rex', categoryId: key });
    const body = [validKey, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`];
    const targets = [
      '/v1/pets',
      `/v1/${encoded}`,
      `/${percent}`,
      `/v1/pets/${percent}`,
      `/v1/%zz${percent}`,
      `/x?key=${encoded}`,
      `/v1/pets?${encoded}=${encoded}`,
    ];
    const responses = [];
    for (const target of targets) {
      for (const header of [`Authorization: Bearer ${key}`, validKey]) {
        responses.push(await sendOne(traced.url, `GET ${target} HTTP/1.1`, [header]));
      }
    }
    // The log cuts this path in the middle of the key.
    const cut = `/v1/${'x'.repeat(480)}${encoded}/${'x'.repeat(50)}`;
    responses.push(
      await sendOne(traced.url, `GET ${cut} HTTP/1.1`, [validKey]),
      await sendOne(traced.url, 'POST /v1/pets HTTP/1.1', body, json),
      await sendOne(traced.url, 'POST /v1/pets HTTP/1.1', [...body, `Idempotency-Key: ${key} ${key}`], json),
      await sendOne(traced.url, 'GET /healthz HTTP/1.1', [`X-Request-Id: ${key}`]),
    );
    traced.clock.now = () => {
      throw new Error(`no clock for ${key}`);
    };
    responses.push(await sendOne(traced.url, 'GET /v1/pets HTTP/1.1', [validKey]));
    await expect.poll(() => traced.logged.filter(({ msg }) => msg === 'request').length).toBe(responses.length);
    for (const text of [JSON.stringify(traced.logged), ...responses.map((response) => response.text)]) {
      for (const form of [key, encoded, percent, JSON.stringify(key).slice(1, -1)]) expect(text).not.toContain(form);
      expect(text).not.toContain(`xxx${key.slice(0, 6)}`);
    }
  });
});

it('a sign-in link whose "#" was encoded on its way leaves no part of its key in the log and in the response', async () => {
  // Not a key of the service, nor in the form of its keys.
  const key = 'Zebra_1-quokka~"ibex\\gnu+yak.emu!';
  const encoded = encodeURIComponent(key);
  const escapes = [...key].map((letter) => `%${letter.codePointAt(0)?.toString(16)}`).join('');
  const targets = [
    `/%23key=${encoded}`,
    `/%23KEY%3d${encoded}.`,
    `/pets/1%23key=${encoded}&utm_source=mail`,
    `/%2523key%253D${encodeURIComponent(encoded)}`,
    `/%23%6b%65y=${escapes}/x`,
    `/%23key=Bearer%20${encoded}`,
    `/#key=${encoded}`,
    `/v1/pets?%23key%3D${encoded}=1`,
    `/v1/pets/%23key=${encoded}`,
    `/v1/%zz%23key=${encoded}`,
  ];
  const traced = await startTestApp({ logLevel: 'trace' });
  const send = (target: string) =>
    sendOne(traced.url, `GET ${target} HTTP/1.1`, [
      `Authorization: Bearer ${traced.key}`,
      'Accept: application/json',
      `Referer: ${traced.url}${target}`,
    ]);
  const responses = await Promise.all(targets.map(send));
  traced.clock.now = () => {
    throw new Error(`no clock for /%23key=${key}`);
  };
  responses.push(await send('/v1/pets'));
  const logged = () => traced.logged.filter(({ msg }) => msg === 'request').length;
  await expect.poll(logged).toBe(responses.length);
  for (const text of [JSON.stringify(traced.logged), ...responses.map((response) => response.text)]) {
    expect(text).not.toMatch(/zebra|quokka|ibex|gnu|yak|emu|%5a%65|%71%75|%69%62/i);
  }
});

const ids = Array.from({ length: 10 }, (_, index) => `gone-${index}`);
const linesOfIds = () => service.logged.filter((line) => ids.includes(String(line['requestId'])));

const creation = (id = '') => createOf(service.key, `X-Request-Id: ${id}`).join('');

it('the log has a line for each request of a client that disconnects, also for pipelined ones that commit later', async () => {
  const hold = await holdPets(service.databaseUrl);
  const create = vi.spyOn(service.app.get(PetsService), 'create');
  const server: Server = service.app.getHttpServer();
  let closed = 0;
  server.on('connection', (socket) => socket.once('close', () => (closed += 1)));
  const sockets = Array.from({ length: ids.length / 2 }, (_, index) => {
    const socket = openSocket(service.url);
    socket.write(creation(ids[2 * index]) + creation(ids[2 * index + 1]));
    return socket;
  });
  await expect.poll(() => create.mock.calls.length).toBe(ids.length);
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(() => closed).toBe(sockets.length);
  await hold.end();
  await expect.poll(() => linesOfIds().length).toBe(ids.length);
  expect(new Set(linesOfIds().map(({ requestId }) => requestId))).toEqual(new Set(ids));
  for (const line of linesOfIds()) {
    expect(line).toMatchObject({ status: 201, aborted: true, address: '127.0.0.1', apiKeyId: 1, msg: 'request' });
  }
  expect((await service.sql('SELECT count(*)::int AS pets FROM pet'))[0]).toEqual({ pets: ids.length });
});

it.each([
  [undefined, '127.0.0.1'],
  ['127.0.0.1/32,10.0.0.0/8,198.51.100.0/24,fd00::/8', '203.0.113.9'],
])('TRUST_PROXY is %s: the log contains the address %s', async (value, address) => {
  const { trustProxy } = readConfig({ TRUST_PROXY: value });
  const behind = await startOn(service.databaseUrl, { trustProxy });
  const forwarded = '203.0.113.9, 198.51.100.7, 10.1.1.1';
  await behind.api.get('/v1/pets', { 'x-forwarded-for': forwarded, 'x-request-id': 'forwarded' });
  expect(await lineOf('forwarded', behind)).toMatchObject({ address });
});
