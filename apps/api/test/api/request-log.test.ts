import type { Server } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PetsService } from '../../src/features/pets/pets.service.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createOf, openSocket, sendOne } from '../support/raw-http.js';
import { holdPets } from '../support/scratch-database.js';
import { startOn, useTestApp } from '../support/test-app.js';

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
});

interface TracedRequest {
  line: string;
  /** The API key; by default a valid one. */
  key?: string;
  headers?: string[];
  body?: string;
}

/** Sends the requests, and one whose error has the message `fault`. Returns the whole log and all responses, as texts. */
async function traceOf(requests: TracedRequest[], fault: string, bootstrapApiKey?: string): Promise<string[]> {
  const traced = await startOn(service.databaseUrl, { bootstrapApiKey, logLevel: 'trace' });
  if (bootstrapApiKey !== undefined) await traced.keys.setBootstrapKey(bootstrapApiKey);
  const send = async ({ line, key = traced.key, headers = [], body }: TracedRequest) =>
    (await sendOne(traced.url, `${line} HTTP/1.1`, [`Authorization: Bearer ${key}`, ...headers], body)).text;
  const texts = await Promise.all(requests.map(send));
  traced.clock.now = () => {
    throw new Error(fault);
  };
  texts.push(await send({ line: 'GET /v1/pets' }));
  await expect.poll(() => traced.logged.filter(({ msg }) => msg === 'request').length).toBe(texts.length);
  return [JSON.stringify(traced.logged), ...texts];
}

const percentEncode = (text: string) => [...text].map((letter) => `%${letter.codePointAt(0)?.toString(16)}`).join('');

const ownKey = String.raw`my_own_"key"_\_with_everything`;
it.each([
  ['as it was created', 'psk_kI9o-2_abcdefghijklmnopqrstuvwxyz0123456789A', undefined],
  ['as BOOTSTRAP_API_KEY sets it', ownKey, ownKey],
])('the log and the errors never contain a key %s', async (_how, key, bootstrapKey) => {
  const [encoded, percent] = [encodeURIComponent(key), percentEncode(key)];
  const json = JSON.stringify({ [key]: key, name: 'Rex', categoryId: key });
  const headers = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`];
  const create = { line: 'POST /v1/pets', headers, body: json };
  const lines = [
    'GET /v1/pets',
    `GET /v1/${encoded}`,
    `GET /${percent}`,
    `GET /v1/pets/${percent}`,
    `GET /v1/%zz${percent}`,
    `GET /x?key=${encoded}`,
    `GET /v1/pets?${encoded}=${encoded}`,
    // The log cuts this path in the middle of the key.
    `GET /v1/${'x'.repeat(480)}${encoded}/${'x'.repeat(50)}`,
  ];
  const requests = [
    ...lines.flatMap((line): TracedRequest[] => [{ line }, { line, key }]),
    create,
    { ...create, headers: [...headers, `Idempotency-Key: ${key} ${key}`] },
    { line: 'GET /healthz', headers: [`X-Request-Id: ${key}`] },
  ];
  for (const text of await traceOf(requests, `no clock for ${key}`, bootstrapKey)) {
    for (const form of [key, encoded, percent, JSON.stringify(key).slice(1, -1)]) expect(text).not.toContain(form);
    expect(text).not.toContain(`xxx${key.slice(0, 6)}`);
  }
});

it('a sign-in link whose "#" was encoded on its way leaves no part of its key in the log and in the response', async () => {
  // Not a key of the service, nor in the form of its keys.
  const key = String.raw`Zebra_1-quokka~"ibex\gnu+yak.emu!`;
  const encoded = encodeURIComponent(key);
  const targets = [
    `/%23key=${encoded}`,
    `/%23KEY%3d${encoded}.`,
    `/pets/1%23key=${encoded}&utm_source=mail`,
    `/%2523key%253D${encodeURIComponent(encoded)}`,
    `/%23%6b%65y=${percentEncode(key)}/x`,
    `/%23key=Bearer%20${encoded}`,
    `/#key=${encoded}`,
    `/v1/pets?%23key%3D${encoded}=1`,
    `/v1/pets/%23key=${encoded}`,
    `/v1/%zz%23key=${encoded}`,
  ];
  const requests = targets.map((target) => ({
    line: `GET ${target}`,
    headers: ['Accept: application/json', `Referer: ${service.url}${target}`],
  }));
  for (const text of await traceOf(requests, `no clock for /%23key=${key}`)) {
    expect(text).not.toMatch(/zebra|quokka|ibex|gnu|yak|emu|%5a%65|%71%75|%69%62/i);
  }
});

it('the log has a line for a create whose client disconnects, and those that wait behind it have no effect', async () => {
  const ids = Array.from({ length: 5 }, (_, index) => `gone-${index}`);
  const lines = () => service.logged.filter(({ requestId }) => /^(gone|waiting)-/.test(String(requestId)));
  const hold = await holdPets(service.databaseUrl);
  const create = vi.spyOn(service.app.get(PetsService), 'create');
  const server: Server = service.app.getHttpServer();
  let closed = 0;
  server.on('connection', (socket) => socket.once('close', () => (closed += 1)));
  const createAs = (id: string) => createOf(service.key, `X-Request-Id: ${id}`).join('');
  const sockets = ids.map((id) => {
    const socket = openSocket(service.url);
    socket.write(createAs(id) + createAs(id.replace('gone', 'waiting')));
    return socket;
  });
  await expect.poll(() => create.mock.calls.length).toBe(ids.length);
  for (const socket of sockets) socket.resetAndDestroy();
  await expect.poll(() => closed).toBe(sockets.length);
  await hold.end();
  await expect.poll(() => lines().length).toBe(ids.length);
  expect(new Set(lines().map(({ requestId }) => requestId))).toEqual(new Set(ids));
  for (const line of lines()) {
    expect(line).toMatchObject({ status: 201, aborted: true, address: '127.0.0.1', apiKeyId: 1, msg: 'request' });
  }
  expect((await service.sql('SELECT count(*)::int AS pets FROM pet'))[0]).toEqual({ pets: ids.length });
});

it('the log contains the address of the client that the proxies in TRUST_PROXY name, else that of the connection', async () => {
  const { trustProxy } = readConfig({ TRUST_PROXY: '127.0.0.1/32,10.0.0.0/8,198.51.100.0/24,fd00::/8' });
  const behind = await startOn(service.databaseUrl, { trustProxy });
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 10.1.1.1', 'x-request-id': 'forwarded' };
  for (const { api } of [service, behind]) await api.get('/v1/pets', headers);
  expect(await lineOf('forwarded')).toMatchObject({ address: '127.0.0.1' });
  expect(await lineOf('forwarded', behind)).toMatchObject({ address: '203.0.113.9' });
  // A client cannot make the service check any number of addresses.
  const many = Array.from({ length: 1000 }, (_, number) => `10.0.${number >> 8}.${number & 255}`);
  await behind.api.get('/v1/pets', { 'x-forwarded-for': many.join(','), 'x-request-id': 'many' });
  expect(await lineOf('many', behind)).toMatchObject({ address: many.at(-10) });
});
