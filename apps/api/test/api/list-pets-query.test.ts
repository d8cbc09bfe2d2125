import { listParameters } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, idsOf } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeAll(async () => {
  await addPet(service.api);
});

async function rejected(query: string): Promise<string> {
  return expectError(await service.api.get(`/v1/pets?${query}`), 'invalid_query');
}

const list = async (query: string) => idsOf(await service.api.get(`/v1/pets?${query}`));

/** What a message adds if the form of a number is wrong, not its value. */
function formHint(text: string): string {
  return /^(0|-?[1-9]\d*)$/.test(text) ? '' : ', in plain digits without leading zeros';
}

describe('GET /v1/pets with a limit', () => {
  it.each(['1', '100', '%31'])('returns 200 for limit=%s', async (limit) => {
    expect(await list(`limit=${limit}`)).toHaveLength(1);
  });

  it.each(['0', '-1', '101', '01', '1.0', '+1', '1%20', '', '١', '9'.repeat(400)])(
    'returns 400 invalid_query for limit=%s and names what is allowed',
    async (limit) => {
      expect(await rejected(`limit=${limit}`)).toBe(
        `\`limit\` must be an integer between 1 and 100${formHint(limit)}.`,
      );
    },
  );
});

describe('GET /v1/pets with a status or an order', () => {
  it.each([...['Available', 'available,sold', ''].map((status) => ['status', status]), ['order', 'ASC']])(
    'returns 400 invalid_query for %s=%s and names what is allowed',
    async (name, value) => {
      const allowed = name === 'status' ? 'available, pending, sold' : 'asc, desc';
      expect(await rejected(`${name}=${value}`)).toBe(`\`${name}\` must be one of: ${allowed}.`);
    },
  );
});

describe('GET /v1/pets with an id', () => {
  it.each(['-9223372036854775809', '9223372036854775808', '01', '-0', ''])(
    'returns 400 invalid_query for id=%s and names what is allowed',
    async (id) => {
      expect(await rejected(`id=${id}`)).toBe(
        `\`id\` must be an integer between -9223372036854775808 and 9223372036854775807${formHint(id)}.`,
      );
    },
  );

  it.each(['after=AAAAAAAAAAAAAAAAAAAA', 'q=rex', 'categoryId=7'])(
    'returns 400 invalid_query when combined with %s, which it names',
    async (other) => {
      expect(await rejected(`id=1&limit=20&${other}`)).toBe(
        `\`id\` cannot be combined with \`${other.split('=', 1)[0]}\`, only with \`status\`, \`limit\` and \`order\`.`,
      );
    },
  );
});

describe('GET /v1/pets with a categoryId', () => {
  it.each(['', '7,', '7,,9', '07', '7 ', '9223372036854775808', '7;9', '7,x'])(
    'returns 400 invalid_query for categoryId=%s',
    async (value) => {
      expect(await rejected(`categoryId=${encodeURIComponent(value)}`)).toMatch(
        /^`categoryId` must be 1 to 20 integers between -9223372036854775808 and 9223372036854775807, separated by commas[,.]/,
      );
    },
  );

  it('accepts 20 categories, also repeated, and returns 400 for 21', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => index + 50_000);
    await list(`categoryId=${[...ids.slice(1), ...ids.slice(1)].join()}`);
    await rejected(`categoryId=${ids.join()}`);
  });
});

describe('GET /v1/pets with an unknown parameter', () => {
  it.each([
    ['Status=sold', 'Status'],
    ['status[]=sold', 'status[]'],
    ['__proto__[limit]=1', '__proto__[limit]'],
    ['page=2', 'page'],
    ['%F0%9F%90%88=1', '🐈'],
  ])('returns 400 invalid_query for ?%s, and names it and what is allowed', async (query, name) => {
    expect(await rejected(query)).toBe(`\`${name}\` is unknown. Allowed: ${listParameters.join(', ')}.`);
  });

  it('returns 400 invalid_query and names every invalid and unknown parameter', async () => {
    const unknown = Array.from({ length: 12 }, (_, number) => `other${number}`);
    const message = await rejected(`limit=0&status=gone&order=up&id=x&${unknown.map((name) => `${name}=1`).join('&')}`);
    for (const name of ['limit', 'status', 'order', 'id', ...unknown]) expect(message).toContain(`\`${name}\``);
  });
});

describe('GET /v1/pets with a repeated parameter', () => {
  it.each([...listParameters.map((name) => `${name}=1&${name}=1`), 'status=sold&statu%73=pending', 'limit=1&limit'])(
    'returns 400 invalid_query for ?%s and names it',
    async (query) => {
      expect(await rejected(query)).toBe(`\`${query.split('=', 1)[0]}\` must not be repeated.`);
    },
  );
});

describe('GET /v1/pets with a query that cannot be decoded', () => {
  it.each(['limit=%', 'q=%C3%28'])('returns 400 bad_request for ?%s', async (query) => {
    const response = await service.api.get(`/v1/pets?${query}`);
    expect(expectError(response, 'bad_request')).toContain('percent-encoding');
  });
});

describe('a query parameter of an operation that has none', () => {
  it.each([
    ['POST', '/v1/pets?dryRun=true', '`dryRun` is unknown. No parameter is allowed.'],
    ['GET', '/v1/pets/1?fields=name&x=1', '`fields`, `x` are unknown. No parameter is allowed.'],
  ])('is rejected: %s %s', async (method, path, message) => {
    const before = await service.sql('SELECT count(*) FROM pet');
    const body = method === 'POST' ? { body: '{"name":"Rex","categoryId":7}' } : {};
    const headers = { 'content-type': 'application/json' };
    const response = await service.api.send(method, path, { headers, ...body });
    expect(expectError(response, 'invalid_query')).toBe(message);
    expect(await service.sql('SELECT count(*) FROM pet')).toEqual(before);
  });
});
