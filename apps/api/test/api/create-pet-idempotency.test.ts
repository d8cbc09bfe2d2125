import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdempotencyPruning } from '../../src/features/pets/idempotency-pruning.js';
import { pruneLock } from '../../src/platform/database/locks.js';
import { type ApiResponse, Api } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { isReplay } from '../support/pets.js';
import { createOf, onlyResponse } from '../support/raw-http.js';
import { countLockWaits, execute, hold, useDatabase } from '../support/scratch-database.js';
import { startOn, useAppOn } from '../support/test-app.js';

const database = useDatabase();
// The time zone of the server must not matter.
beforeAll(async () => {
  await execute(database.url, `ALTER DATABASE ${database.name} SET timezone TO 'America/New_York'`);
});
const service = useAppOn(() => database.url);
afterEach(() => {
  vi.useRealTimers();
  service.clock.time = undefined;
});

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

async function count(table: string): Promise<number> {
  const [row] = await service.sql(`SELECT count(*)::int AS count FROM ${table}`);
  return Number(row?.['count']);
}

let lastKey = 0;
const newKey = () => `key-${(lastKey += 1)}`;

describe('POST /v1/pets with an Idempotency-Key', () => {
  it('returns the first 201 to every retry, and creates one pet', async () => {
    const before = await count('pet');
    const first = await create('repeated', rex);
    expectFirst(first);
    for (let repeat = 0; repeat < 3; repeat += 1) expectReplay(await create('repeated', rex), first);
    expect(await count('pet')).toBe(before + 1);
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

  it('compares a retry with the stored pet: after a change by SQL, it returns 422 idempotency_key_reused', async () => {
    await create('changed', rex);
    await service.sql(`UPDATE pet SET status = 'sold' WHERE id = (SELECT max(id) FROM pet)`);
    expectError(await create('changed', rex), 'idempotency_key_reused');
    expect(isReplay(await create('changed', { ...rex, status: 'sold' }))).toBe(true);
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
    const before = await count('pet');
    const message = expectError(await create(key, rex), 'invalid_idempotency_key');
    expect(message).toContain('1 to 255 visible ASCII characters');
    expect(await count('pet')).toBe(before);
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
    expectError(await create('unused', ' '.repeat(70_000)), 'payload_too_large');
    const reader = new Api(service.url, await service.newKey('read'));
    expectError(await create('unused', rex, reader), 'insufficient_scope');
    const first = await create('unused', { name: 'Max', categoryId: 1 });
    expectFirst(first);
    expectReplay(await create('unused', { name: 'Max', categoryId: 1 }), first);
  });

  it('creates no pet when its record cannot be stored', async () => {
    await service.sql(`ALTER TABLE idempotency_record ADD CONSTRAINT rejected CHECK (key <> 'neither')`);
    const before = await count('pet');
    expectError(await create('neither', rex), 'internal_error');
    expect(await count('pet')).toBe(before);
    await service.sql('ALTER TABLE idempotency_record DROP CONSTRAINT rejected');
    expectFirst(await create('neither', rex));
  });
});

/** Creates pets with idempotency records of this age. */
async function addRecords(number: number, hoursAgo: number): Promise<void> {
  await service.sql(`
    WITH created AS (INSERT INTO pet (name, category_id) SELECT 'Rex', n FROM generate_series(1, ${number}) n RETURNING id)
    INSERT INTO idempotency_record (api_key_id, key, pet_id, created_at)
    SELECT (SELECT min(id) FROM api_key), 'key-' || id, id, now() - interval '${hoursAgo} hours' FROM created`);
}

/** Makes the stored records older. */
async function age(by: string): Promise<void> {
  await service.sql(`UPDATE idempotency_record SET created_at = created_at - interval '${by}'`);
}

describe('an Idempotency-Key', () => {
  it('is replayed for 24 hours, then accepts a different pet', async () => {
    const max = { ...rex, name: 'Max' };
    const first = await create('daily', rex);
    await age('23 hours 59 minutes');
    expectReplay(await create('daily', rex), first);
    expectError(await create('daily', max), 'idempotency_key_reused');
    await age('1 minute');
    const other = await create('daily', max);
    expectFirst(other);
    expectReplay(await create('daily', max), other);
  });

  it('is still replayed after the clock of a process jumps ahead by 25 hours', async () => {
    const first = await create('clock', rex);
    service.clock.time = new Date(Date.now() + 25 * 3_600_000);
    expectReplay(await create('clock', rex), first);
  });
});

describe('the pruning of idempotency records', () => {
  const stored = async () => ({ records: await count('idempotency_record'), pets: await count('pet') });
  beforeEach(() => service.sql('TRUNCATE pet CASCADE'));

  it('deletes those older than 24 hours, in batches of at most 500, and no pet', async () => {
    await addRecords(1201, 25);
    await addRecords(3, 23);
    await service.sql('CREATE TABLE batch (size int)');
    await service.sql(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO batch SELECT count(*) FROM gone; RETURN NULL; END'`);
    await service.sql(`CREATE TRIGGER note AFTER DELETE ON idempotency_record REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note()`);
    expect(await service.app.get(IdempotencyPruning).prune()).toBe(1201);
    expect(await service.sql('SELECT size FROM batch')).toEqual([{ size: 500 }, { size: 500 }, { size: 201 }]);
    expect(await stored()).toEqual({ records: 3, pets: 1204 });
  });

  it('runs every minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await startOn(database.url);
    await addRecords(3, 25);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => count('idempotency_record')).toBe(0);
  });

  it('keeps a record that a create replaces meanwhile', async () => {
    await addRecords(3, 25);
    const other = await hold(
      database.url,
      `UPDATE idempotency_record SET created_at = now() WHERE key =
      (SELECT max(key) FROM idempotency_record)`,
    );
    const pruning = service.app.get(IdempotencyPruning).prune();
    await expect.poll(() => countLockWaits(database.url)).toBe(1);
    await other.query('COMMIT');
    expect(await pruning).toBe(2);
    expect(await stored()).toEqual({ records: 1, pets: 3 });
  });

  it('is skipped while another process prunes', async () => {
    await addRecords(3, 25);
    const other = await hold(database.url, `SELECT pg_advisory_xact_lock(${pruneLock})`);
    expect(await service.app.get(IdempotencyPruning).prune()).toBe(0);
    await other.query('ROLLBACK');
    expect(await service.app.get(IdempotencyPruning).prune()).toBe(3);
  });
});
