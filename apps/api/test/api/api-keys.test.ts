import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from '../../src/features/api-keys/api-key.js';
import { Api } from '../support/api.js';
import { DatabaseLink } from '../support/database-link.js';
import { expectError } from '../support/expect-error.js';
import { createMigratedDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { startOn, type TestApp } from '../support/test-app.js';

let database: ScratchDatabase;
/** Two processes of the service on one database. The second one connects through a link that tests can cut. */
let first: TestApp;
let second: TestApp;
let link: DatabaseLink;

beforeAll(async () => {
  database = await createMigratedDatabase();
  link = await DatabaseLink.to(database.url);
  first = await startOn(database.url);
  second = await startOn(link.url, { databaseStatementTimeoutMs: 1000, authFailuresPerMinute: 100_000 });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await link.cut();
  await database.drop();
});

async function statusAt({ url }: TestApp, key: string): Promise<number> {
  return (await new Api(url, key).get('/v1/pets')).status;
}

/** Waits until the second process returns this status. */
async function reach(status: number, key: string): Promise<void> {
  await expect.poll(() => statusAt(second, key), { interval: 20 }).toBe(status);
}

async function query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

describe('a key', () => {
  it('is psk_ and 32 random bytes in base64url, of which only the SHA-256 is stored', async () => {
    const { id, key } = await first.keys.create('stored', ['read'], null);
    expect(key).toMatch(/^psk_[A-Za-z0-9_-]{43}$/);
    const [row] = await query<{ hash: Buffer; text: string }>(
      'SELECT hash, to_jsonb(api_key)::text AS text FROM api_key WHERE id = $1',
      [id],
    );
    expect(row?.hash).toEqual(Buffer.from(hashKey(key)));
    expect(row?.text).not.toContain(key.slice(4, 20));
  });

  it('works on another process, and is rejected there after it is revoked', async () => {
    const { id, key } = await first.keys.create('new', ['read'], null);
    await reach(200, key);
    await first.keys.revoke(id);
    await reach(401, key);
  });

  it('works immediately in the process that created it', async () => {
    const { key } = await first.keys.create('here', ['read'], null);
    await expect.poll(() => statusAt(first, key), { interval: 10 }).toBe(200);
  });

  it('is rejected after it is revoked when the notification is lost', async () => {
    const { id, key } = await first.keys.create('quiet', ['read'], null);
    await reach(200, key);
    await query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [id]);
    await reach(401, key);
  });

  it('works, and is rejected after it is revoked, when a pooler drops every notification', async () => {
    link.losesNotifications = true;
    await link.cut();
    await link.mend();
    await expect.poll(() => statusAt(second, second.key)).toBe(200);
    const { id, key } = await first.keys.create('pooled', ['read'], null);
    await reach(200, key);
    await first.keys.revoke(id);
    await reach(401, key);
    link.losesNotifications = false;
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

describe('the key named bootstrap', () => {
  it('has all scopes, and a new value replaces it', async () => {
    const [old, next] = ['bootstrap-key-number-one!', 'bootstrap-key-number-two!'];
    await first.keys.setBootstrapKey(old);
    await reach(200, old);
    expect((await new Api(second.url, old).post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
    await first.keys.setBootstrapKey(next);
    await first.keys.setBootstrapKey(next);
    await reach(200, next);
    expect(await statusAt(second, old)).toBe(401);
    const usable = (await first.keys.list()).filter(({ name, revokedAt }) => name === 'bootstrap' && !revokedAt);
    expect(usable).toHaveLength(1);
  });

  it('can be a key that exists under another name, which gets this name and all rights', async () => {
    const { id, key } = await first.keys.create('reader', ['read'], null);
    await first.keys.setBootstrapKey(key);
    const stored = (await first.keys.list()).find((other) => other.id === id);
    expect(stored).toMatchObject({ name: 'bootstrap', scopes: ['read', 'write'], revokedAt: null });
  });
});

describe('the first key', () => {
  it('is created by only one of two concurrent starts', async () => {
    const empty = await createMigratedDatabase();
    const service = await startOn(empty.url);
    const announced: string[] = [];
    const announce = (key: string): Promise<void> => Promise.resolve(void announced.push(key));
    await service.sql('DELETE FROM api_key');
    await Promise.all([service.keys.createFirst(announce), service.keys.createFirst(announce)]);
    expect(announced).toHaveLength(1);
    await expect.poll(() => statusAt(service, announced[0] ?? ''), { interval: 20 }).toBe(200);
    await service.close();
    await empty.drop();
  });
});

describe('API keys while the database is unavailable', () => {
  it('keep working, unknown keys are rejected without a query, and both recover with the database', async () => {
    await link.cut();
    expectError(await new Api(second.url, 'wrong').get('/v1/pets'), 'invalid_api_key');
    const response = await second.api.get('/v1/pets');
    expectError(response, 'service_unavailable');
    expect(response.headers.get('retry-after')).toBe('1');
    await sleep(1500);
    expectError(await second.api.get('/v1/pets'), 'service_unavailable');
    await link.mend();
    const { key } = await first.keys.create('afterwards', ['read'], null);
    await reach(200, key);
  });
});

describe('the last use of a key', () => {
  it('is not written for each request, and is saved at shutdown', async () => {
    const service = await startOn(database.url);
    const { id, key } = await service.keys.create('used', ['read'], null);
    await expect.poll(() => statusAt(service, key)).toBe(200);
    const row = async () =>
      (
        await query<{ xmin: string; used: Date | null }>(
          'SELECT xmin, last_used_at AS used FROM api_key WHERE id = $1',
          [id],
        )
      )[0];
    const before = await row();
    for (let sent = 0; sent < 20; sent += 1) await statusAt(service, key);
    expect(await row()).toEqual(before);
    service.clock.time = new Date(Date.now() + 60_000);
    await statusAt(service, key);
    const last = service.clock.time;
    await service.close();
    expect((await row())?.used).toEqual(last);
  });
});
