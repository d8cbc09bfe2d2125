import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, idsOf } from '../support/pets.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  await addPet(service.api);
});
afterAll(() => service.close());

async function refused(query: string): Promise<string> {
  return expectError(await service.api.get(`/v1/pets?${query}`), 'invalid_query');
}

describe('GET /v1/pets with a limit', () => {
  it.each(['1', '100', '%31'])('answers 200 for limit=%s', async (limit) => {
    expect(idsOf(await service.api.get(`/v1/pets?limit=${limit}`))).toHaveLength(1);
  });

  it.each([
    '0',
    '-0',
    '-1',
    '101',
    '01',
    '1.0',
    '1e1',
    '0x10',
    '%2B1',
    '+1',
    '%201',
    '1%20',
    '',
    '1_0',
    '١',
    'NaN',
    '9'.repeat(400),
  ])('answers 400 invalid_query for limit=%s and says what is allowed', async (limit) => {
    expect(await refused(`limit=${limit}`)).toBe('`limit` must be an integer between 1 and 100.');
  });

  it('answers 400 invalid_query for a limit without a value', async () => {
    expect(await refused('limit')).toBe('`limit` must be an integer between 1 and 100.');
  });
});

describe('GET /v1/pets with a status or an order', () => {
  it.each(['Available', 'available%20', 'available,sold', '', 'null', '*', '%00'])(
    'answers 400 invalid_query for status=%s and says what is allowed',
    async (status) => {
      expect(await refused(`status=${status}`)).toBe('`status` must be one of: available, pending, sold.');
    },
  );

  it.each(['ASC', '-id', 'descending', ''])(
    'answers 400 invalid_query for order=%s and says what is allowed',
    async (order) => {
      expect(await refused(`order=${order}`)).toBe('`order` must be one of: asc, desc.');
    },
  );
});

describe('GET /v1/pets with an id', () => {
  it.each(['0', '-1', '-9223372036854775808', '9223372036854775807'])(
    'answers 200 with an empty array for id=%s',
    async (id) => {
      expect(idsOf(await service.api.get(`/v1/pets?id=${id}`))).toEqual([]);
    },
  );

  it.each([
    '-9223372036854775809',
    '9223372036854775808',
    '9'.repeat(400),
    '01',
    '-01',
    '-0',
    '1.0',
    '1e0',
    '%2B1',
    '%201',
    '',
    'abc',
    '1n',
  ])('answers 400 invalid_query for id=%s and says what is allowed', async (id) => {
    expect(await refused(`id=${id}`)).toBe(
      '`id` must be an integer between -9223372036854775808 and 9223372036854775807.',
    );
  });

  it.each(['after=AAAAAAAAAAAAAAAAAAAA', 'limit=20', 'order=asc'])(
    'answers 400 invalid_query together with %s, which it names',
    async (other) => {
      expect(await refused(`id=1&${other}`)).toContain(`\`${other.split('=', 1)[0]}\``);
    },
  );

  it('answers 400 invalid_query together with paging also when a count is preferred', async () => {
    const answer = await service.api.get('/v1/pets?id=1&limit=1', { prefer: 'count=exact' });
    expectError(answer, 'invalid_query');
  });
});

describe('GET /v1/pets with a parameter that it does not know', () => {
  it.each([
    ['Status=sold', 'Status'],
    ['LIMIT=1', 'LIMIT'],
    ['statu%73=sold&%6Climit=1', 'llimit'],
    ['state=sold', 'state'],
    ['status%20=sold', 'status '],
    ['status[]=sold', 'status[]'],
    ['status[$ne]=sold', 'status[$ne]'],
    ['constructor=1', 'constructor'],
    ['__proto__=1', '__proto__'],
    ['__proto__[limit]=1', '__proto__[limit]'],
    ['prototype=1', 'prototype'],
    ['toString=1', 'toString'],
    ['hasOwnProperty=1', 'hasOwnProperty'],
    ['page=2', 'page'],
    ['%5F%5Fproto%5F%5F=1', '__proto__'],
    ['=1', ''],
    ['%F0%9F%90%88=1', '🐈'],
  ])('answers 400 invalid_query for ?%s, names it and says what is allowed', async (query, name) => {
    const message = await refused(query);
    expect(message).toBe(`\`${name}\` is unknown. Allowed: limit, status, order, after, id.`);
  });

  it('answers 400 invalid_query and names every parameter at fault', async () => {
    const unknown = Array.from({ length: 12 }, (_, number) => `other${number}`);
    const message = await refused(`limit=0&status=gone&order=up&id=x&${unknown.map((name) => `${name}=1`).join('&')}`);
    for (const name of ['limit', 'status', 'order', 'id', ...unknown]) expect(message).toContain(`\`${name}\``);
  });
});

describe('GET /v1/pets with a parameter that is repeated', () => {
  it.each([
    'limit=1&limit=1',
    'status=sold&status=sold',
    'status=sold&statu%73=pending',
    'order=asc&order=asc',
    'after=a&after=b',
    'id=1&id=1',
    'limit=1&limit',
  ])('answers 400 invalid_query for ?%s and names it', async (query) => {
    expect(await refused(query)).toBe(`\`${query.split('=', 1)[0]}\` must not be repeated.`);
  });
});

describe('GET /v1/pets with a repeated and an invalid parameter', () => {
  it('answers 400 invalid_query and names both', async () => {
    expect(await refused('limit=1&limit=2&status=gone&tag=a&tag=b')).toBe(
      '`limit` must not be repeated. `status` must be one of: available, pending, sold. `tag` is unknown. Allowed: limit, status, order, after, id.',
    );
  });
});

describe('GET /v1/pets with an odd query', () => {
  it.each(['', '&', '&&limit=1&'])('answers 200 for ?%s, in which nothing is asked wrongly', async (query) => {
    expect(idsOf(await service.api.get(`/v1/pets?${query}`))).toHaveLength(1);
  });

  it.each(['limit=%', 'status=%zz', 'status=%C3%28', '%=1'])(
    'answers 400 bad_request for ?%s, which cannot be decoded',
    async (query) => {
      const answer = await service.api.get(`/v1/pets?${query}`);
      expect(expectError(answer, 'bad_request')).toContain('percent-encoding');
    },
  );
});
