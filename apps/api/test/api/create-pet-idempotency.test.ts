import { describe, expect, it } from 'vitest';
import { type ApiResponse, Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { createOf, onlyResponse } from '../support/raw-http.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp({ bodyLimitBytes: 2000 });

const rex = { name: 'Rex', categoryId: 7 };

function create(key: string, body: unknown, api = service.api): Promise<ApiResponse> {
  return api.post('/v1/pets', body, { 'idempotency-key': key });
}

function expectFirst(response: ApiResponse): void {
  expect(response.status, response.text).toBe(201);
  expect(response.headers.has('idempotency-replayed')).toBe(false);
}

function expectReplay(response: ApiResponse, first: ApiResponse): void {
  expect(response.status, response.text).toBe(201);
  expect(response.text).toBe(first.text);
  expect(response.headers.get('location')).toBe(first.headers.get('location'));
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('idempotency-replayed')).toBe('true');
}

async function countPets(): Promise<number> {
  const { headers } = await service.api.get('/v1/pets', { prefer: 'count=exact' });
  return Number(headers.get('x-total-count'));
}

let lastKey = 0;
const newKey = () => `key-${(lastKey += 1)}`;

describe('POST /v1/pets with an Idempotency-Key', () => {
  it('returns the first 201 to every retry, and creates one pet', async () => {
    const before = await countPets();
    const first = await create('repeated', rex);
    expectFirst(first);
    for (let repeat = 0; repeat < 3; repeat += 1) expectReplay(await create('repeated', rex), first);
    expect(await countPets()).toBe(before + 1);
  });

  it.each([
    '{"name":"Zoë","categoryId":7,"status":"available"}',
    '{ "categoryId" : 7,\n\t"name" : "Zoë" }',
    String.raw`{"name":"Zo\u00eb","categoryId":7}`,
    '{"name":"Zoë","categoryId":70e-1}',
  ])('returns the first 201 for an equal pet that is written differently: %s', async (body) => {
    const key = newKey();
    const first = await create(key, { name: 'Zoë', categoryId: 7 });
    expectReplay(await create(key, body), first);
  });

  const large = { ...rex, categoryId: 9007199254740993n };
  const zoe = { ...rex, name: 'Zo\u00eb' };
  it.each([
    [rex, { ...rex, name: 'rex' }],
    [rex, { ...rex, status: 'sold' }],
    [large, { ...rex, categoryId: 9007199254740992n }],
    [zoe, { ...rex, name: 'Zoe\u0308' }],
  ])('returns 422 idempotency_key_reused for a different pet (%#)', async (pet, other) => {
    const key = newKey();
    const first = await create(key, pet);
    expect(expectError(await create(key, other), 'idempotency_key_reused')).toContain('Idempotency-Key');
    expectReplay(await create(key, pet), first);
  });

  it('keeps the keys of different API keys apart', async () => {
    const other = new Api(service.url, await service.newKey('read', 'write'));
    const first = await create('scoped', rex);
    const foreign = await create('scoped', { ...rex, name: 'Max' }, other);
    expectFirst(foreign);
    expectReplay(await create('scoped', rex), first);
    expectReplay(await create('scoped', { ...rex, name: 'Max' }, other), foreign);
  });

  it('replays when the fingerprint has another version, because it cannot be compared', async () => {
    const first = await create('upgraded', rex);
    const fingerprint = (version: string) =>
      service.sql(
        `UPDATE idempotency_record SET fingerprint = '\\x${version}${'ab'.repeat(32)}' WHERE key = 'upgraded'`,
      );
    await fingerprint('00');
    expectReplay(await create('upgraded', rex), first);
    await fingerprint('01');
    expectError(await create('upgraded', rex), 'idempotency_key_reused');
  });
});

describe('the format of the Idempotency-Key of POST /v1/pets', () => {
  const valid = ['!', '~', 'x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a,b;c=d', `';--`];
  it.each(valid)('returns 201 and replays it: %s', async (key) => {
    const first = await create(key, rex);
    expectFirst(first);
    expectReplay(await create(key, rex), first);
  });

  const invalid = ['', 'x'.repeat(256), 'a b', 'a\tb', 'é', 'a, b'];
  it.each(invalid)('returns 400 invalid_idempotency_key for %j, and creates nothing', async (key) => {
    const before = await countPets();
    const message = expectError(await create(key, rex), 'invalid_idempotency_key');
    expect(message).toContain('1 to 255 visible ASCII characters');
    expect(await countPets()).toBe(before);
  });

  it('returns 400 invalid_idempotency_key when it is sent twice', async () => {
    const bytes = createOf(service.key, 'Idempotency-Key: a', 'Idempotency-Key: a', 'Connection: close').join('');
    expectError(await onlyResponse(service.url, bytes), 'invalid_idempotency_key');
  });
});

describe('a rejected POST /v1/pets with an Idempotency-Key', () => {
  it('leaves the key unused', async () => {
    expectError(await create('unused', { name: 'Rex' }), 'invalid_body');
    expectError(await create('unused', '{"name"'), 'invalid_json');
    expectError(await create('unused', ' '.repeat(3000)), 'payload_too_large');
    const reader = new Api(service.url, await service.newKey('read'));
    expectError(await create('unused', rex, reader), 'insufficient_scope');
    const first = await create('unused', { name: 'Max', categoryId: 1 });
    expectFirst(first);
    expectReplay(await create('unused', { name: 'Max', categoryId: 1 }), first);
  });

  it('creates no pet when its record cannot be stored', async () => {
    await service.sql(`ALTER TABLE idempotency_record ADD CONSTRAINT rejected CHECK (key <> 'neither')`);
    const before = await countPets();
    expectError(await create('neither', rex), 'internal_error');
    expect(await countPets()).toBe(before);
    await service.sql('ALTER TABLE idempotency_record DROP CONSTRAINT rejected');
    expectFirst(await create('neither', rex));
  });
});
