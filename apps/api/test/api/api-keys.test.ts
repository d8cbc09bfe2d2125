import { once } from 'node:events';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiKeyRing } from '../../src/features/api-keys/api-key-ring.js';
import { hashKey } from '../../src/features/api-keys/api-key.js';
import { ApiKeysRepository } from '../../src/features/api-keys/api-keys.repository.js';
import { Api } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { useDatabase } from '../support/scratch-database.js';
import { startOn, startTestApp, type TestApp, useAppOn } from '../support/test-app.js';

const database = useDatabase();
/** Two processes of the service on one database. The second one connects through a link that tests can cut. */
let link: DatabaseLink;
beforeAll(async () => {
  link = await DatabaseLink.to(database.url);
  return () => link.cut();
});
const first = useAppOn(() => database.url);
const second = useAppOn(() => link.url, { databaseStatementTimeoutMs: 1000 });
afterEach(() => vi.restoreAllMocks());

async function statusAt({ url }: TestApp, key: string): Promise<number> {
  return (await new Api(url, key).get('/v1/pets')).status;
}

/** Waits until the second process returns this status. */
async function reach(status: number, key: string): Promise<void> {
  await expect.poll(() => statusAt(second, key), { interval: 20 }).toBe(status);
}

describe('a key', () => {
  it('is psk_ and 32 random bytes in base64url, of which only the SHA-256 is stored', async () => {
    const { id, key } = await first.keys.create('stored', ['read'], null);
    expect(key).toMatch(/^psk_[A-Za-z0-9_-]{43}$/);
    const [row] = await first.sql(`SELECT hash, to_jsonb(api_key)::text AS text FROM api_key WHERE id = ${id}`);
    expect(row?.['hash']).toEqual(Buffer.from(hashKey(key)));
    expect(row?.['text']).not.toContain(key.slice(4, 20));
  });

  it('stays revoked when a slow read ends that began before the revocation', async () => {
    const [ring, keys] = [second.app.get(ApiKeyRing), second.app.get(ApiKeysRepository)];
    const { id, key } = await first.keys.create('slow', ['read'], null);
    await reach(200, key);
    const stale = await keys.findUsable();
    const server = new EventTarget();
    vi.spyOn(keys, 'findUsable').mockReturnValueOnce(once(server, 'response').then(() => stale));
    const slowRead = ring.reload();
    await first.keys.revoke(id);
    await ring.reload();
    server.dispatchEvent(new Event('response'));
    await slowRead;
    expect(await statusAt(second, key)).toBe(401);
  });

  it('is rejected after it is revoked while a read gets no response', async () => {
    const { id, key } = await first.keys.create('hanging', ['read'], null);
    await reach(200, key);
    const read = vi.spyOn(second.app.get(ApiKeysRepository), 'findUsable');
    read.mockReturnValueOnce(once(new EventTarget(), 'response').then(() => []));
    await expect.poll(() => read.mock.calls.length).toBeGreaterThan(0);
    await first.keys.revoke(id);
    await reach(401, key);
  });

  it('is rejected after it expires', async () => {
    const { key } = await first.keys.create('short', ['read'], new Date(Date.now() + 3_600_000));
    await reach(200, key);
    second.clock.time = new Date(Date.now() + 3_600_001);
    expectError(await new Api(second.url, key).get('/v1/pets'), 'invalid_api_key');
    second.clock.time = undefined;
    expect(await statusAt(second, key)).toBe(200);
  });
});

it('the first key is created by only one of two concurrent starts', async () => {
  const service = await startTestApp();
  const announced: string[] = [];
  const announce = (key: string): Promise<void> => Promise.resolve(void announced.push(key));
  await service.sql('DELETE FROM api_key');
  await Promise.all([service.keys.createFirst(announce), service.keys.createFirst(announce)]);
  expect(announced).toHaveLength(1);
  await expect.poll(() => statusAt(service, announced[0] ?? ''), { interval: 20 }).toBe(200);
});

it('without the database, API keys keep working, and unknown ones are rejected without a query; both recover with it', async () => {
  await link.cut();
  expectError(await new Api(second.url, 'wrong').get('/v1/pets'), 'invalid_api_key');
  await expect.poll(() => second.logged.map(({ msg }) => String(msg)).join()).toContain('Cannot read the API keys');
  expectError(await second.api.get('/v1/pets'), 'service_unavailable');
  await link.mend();
  const { key } = await first.keys.create('afterwards', ['read'], null);
  await reach(200, key);
});

describe('the last use of a key', () => {
  const lastUse = async (id: number) => (await first.app.get(ApiKeysRepository).find(id))?.lastUsedAt;

  it('is not written for each request, and is saved at shutdown', async () => {
    const service = await startOn(database.url);
    const { id, key } = await service.keys.create('used', ['read'], null);
    await expect.poll(() => statusAt(service, key)).toBe(200);
    const row = () => first.sql(`SELECT xmin FROM api_key WHERE id = ${id}`);
    const before = await row();
    for (let sent = 0; sent < 20; sent += 1) await statusAt(service, key);
    expect(await row()).toEqual(before);
    service.clock.time = new Date(Date.now() + 60_000);
    await statusAt(service, key);
    const last = service.clock.time;
    await service.close();
    expect(await lastUse(id)).toEqual(last);
  });

  it('is saved later when the database is away', async () => {
    const { id, key } = await first.keys.create('unsaved', ['read'], null);
    const service = await startOn(link.url);
    await link.cut();
    service.clock.time = new Date(Date.now() + 60_000);
    expect(await statusAt(service, key)).toBe(503);
    await service.app.get(ApiKeyRing).onModuleDestroy();
    await expect.poll(() => service.logged.map(({ msg }) => String(msg)).join()).toContain('Cannot save when API keys');
    await link.mend();
    await expect.poll(async () => (await service.anonymous.get('/readyz')).status).toBe(200);
    await service.close();
    expect(await lastUse(id)).toEqual(service.clock.time);
  });

  it('is replaced by a later one, never by an earlier one', async () => {
    const { id } = await first.keys.create('twice', ['read'], null);
    const save = (time: string) => first.app.get(ApiKeysRepository).saveLastUsed(new Map([[id, new Date(time)]]));
    await save('2100');
    await save('2102');
    expect(await lastUse(id)).toEqual(new Date('2102'));
    await save('2101');
    expect(await lastUse(id)).toEqual(new Date('2102'));
  });
});

describe('GET /key.json', () => {
  it.each([
    [['read'], null],
    [['write'], '2100-01-02T03:04:05.678Z'],
    [['read', 'write'], null],
  ] as const)(
    'returns a key with the scopes %j and the expiry %s, without the key itself',
    async (scopes, expiresAt) => {
      const { id, key } = await first.keys.create('front desk', [...scopes], expiresAt && new Date(expiresAt));
      await first.app.get(ApiKeyRing).reload();
      const { status, json, headers, text } = await new Api(first.url, key).get('/key.json');
      expect(status).toBe(200);
      expect(json).toEqual({ id: BigInt(id), name: 'front desk', scopes, expiresAt });
      expect(text).not.toContain(key);
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('vary')).toBe('Authorization');
    },
  );
});
