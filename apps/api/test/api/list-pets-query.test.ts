import { listParameters } from '@petstore/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, idsOf, linkOf } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();
beforeAll(async () => {
  await addPet(service.api);
});

async function rejected(query: string): Promise<string> {
  return expectError(await service.api.get(`/v1/pets?${query}`), 'invalid_query');
}

const list = async (query: string) => idsOf(await service.api.get(`/v1/pets?${query}`));

describe('GET /v1/pets with parameters', () => {
  it.each(['1', '100', '%31'])('returns 200 for limit=%s', async (limit) => {
    expect(await list(`limit=${limit}`)).toHaveLength(1);
  });

  it('accepts 20 categories, also repeated, and returns 400 for 21', async () => {
    const ids = Array.from({ length: 21 }, (_, index) => index + 50_000);
    const repeated = ids.map((id) => `categoryId=${id}`);
    for (const query of [`categoryId=${ids.slice(1).join()}`, repeated.slice(1).join('&')]) await list(query);
    for (const query of [`categoryId=${ids.join()}`, repeated.join('&')]) await rejected(query);
  });

  it('reads a repeated categoryId as one list, and its links have one form', async () => {
    const rex = await addPet(service.api, { categoryId: 71 });
    const max = await addPet(service.api, { categoryId: 72 });
    const link = '/v1/pets?limit=1&categoryId=71%2C72';
    for (const categories of ['categoryId=71&categoryId=72', 'categoryId=72&c%61tegoryId=71,72&categoryId=71']) {
      const page = await service.api.get(`/v1/pets?${categories}&limit=1`);
      expect({ ids: idsOf(page), first: linkOf(page, 'first') }).toEqual({ ids: [rex.id], first: link });
      const next = linkOf(page, 'next') ?? '';
      expect(next).toContain(`${link}&after=`);
      expect(await list(`${next.split('?', 2)[1]}`)).toEqual([max.id]);
      expect(await list(`${categories}&limit=1&after=${new URLSearchParams(next).get('after')}`)).toEqual([max.id]);
    }
  });
});

const allowed = `Allowed: ${listParameters.join(', ')}.`;

type Refused = [query: string, message: string];

/** Each query with these values of a parameter, and its message. */
const withValues = (name: string, message: string, values: string[]) =>
  values.map((value): Refused => [`${name}=${value}`, `\`${name}\` ${message}.`]);

describe('GET /v1/pets with an invalid query', () => {
  const badLimits = ['0', '-1', '101', '9'.repeat(400), '01', '1.0', '+1', '1%20', '', '١'];
  const int64 = 'an integer between -9223372036854775808 and 9223372036854775807';
  const badIds = ['-9223372036854775809', '9223372036854775808', '01', '-0', ''];
  it.each<Refused>([
    ...withValues('limit', 'must be an integer between 1 and 100, in plain digits', badLimits),
    ...withValues('status', 'must be one of: available, pending, sold', ['Available', 'available,sold', '']),
    ...withValues('order', 'must be one of: asc, desc', ['ASC']),
    ...withValues('id', `must be ${int64}, in plain digits`, badIds),
    ...['after=AAAAAAAAAAAAAAAAAAAA', 'q=rex', 'categoryId=7'].map((other): Refused => [
      `id=1&limit=20&${other}`,
      `\`id\` cannot be combined with \`${other.split('=', 1)[0]}\`, only with \`status\`, \`limit\` and \`order\`.`,
    ]),
    ['Status=sold', `\`Status\` is unknown. ${allowed}`],
    ['status[]=sold', `\`status[]\` is unknown. ${allowed}`],
    ['__proto__[limit]=1', `\`__proto__[limit]\` is unknown. ${allowed}`],
    ['page=2', `\`page\` is unknown. ${allowed}`],
    ['%F0%9F%90%88=1', `\`🐈\` is unknown. ${allowed}`],
    ...listParameters
      .filter((name) => name !== 'categoryId')
      .map((name): Refused => [`${name}=1&${name}=1`, `\`${name}\` must not be repeated.`]),
    ['status=sold&statu%73=pending', '`status` must not be repeated.'],
    ['limit=1&limit', '`limit` must not be repeated.'],
  ])('returns 400 invalid_query for ?%.60s and explains it: %s', async (query, message) => {
    expect(await rejected(query)).toBe(message);
  });

  const notCategories = ['', '7,', '7,,9', '07', '9223372036854775808', '7;9', '7&categoryId='];
  it.each(notCategories)('returns 400 invalid_query for categoryId=%s', async (value) => {
    const message = await rejected(`categoryId=${value}`);
    expect(message).toMatch(
      /^`categoryId` must be 1 to 20 integers between -9\d{18} and 9\d{18}, separated by commas\.$/,
    );
  });

  it('returns 400 invalid_query and names the first 10 invalid and unknown parameters', async () => {
    const unknown = Array.from({ length: 1200 }, (_, number) => `other${number}`);
    const message = await rejected(`limit=0&status=gone&order=up&id=x&${unknown.map((name) => `${name}=1`).join('&')}`);
    for (const name of ['limit', 'status', 'order', 'id']) expect(message).toContain(`\`${name}\` must be`);
    expect(message).toContain(
      '`other0`, `other1`, `other2`, `other3`, `other4`, `other5` and 1194 more are unknown. Allowed: limit, ',
    );
  });
});

it.each([
  ['POST', '/v1/pets?dryRun=true', '`dryRun` is unknown. No parameter is allowed.'],
  ['GET', '/v1/pets/1?fields=name&x=1', '`fields`, `x` are unknown. No parameter is allowed.'],
])('a query parameter of an operation that has none is rejected: %s %s', async (method, path, message) => {
  const before = await service.sql('SELECT count(*) FROM pet');
  const body = method === 'POST' ? { body: '{"name":"Rex","categoryId":7}' } : {};
  const headers = { 'content-type': 'application/json' };
  const response = await service.api.send(method, path, { headers, ...body });
  expect(expectError(response, 'invalid_query')).toBe(message);
  expect(await service.sql('SELECT count(*) FROM pet')).toEqual(before);
});
