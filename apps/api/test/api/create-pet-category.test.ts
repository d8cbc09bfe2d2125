import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

/** `categoryId` is inserted into the JSON text unchanged. */
function create(categoryId: string): Promise<ApiResponse> {
  return service.api.post('/v1/pets', `{"name":"Rex","categoryId":${categoryId}}`);
}

it.each([
  ['0', '0'],
  ['-0.00e-7', '0'],
  ['1.0', '1'],
  [`1.${'0'.repeat(400)}`, '1'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['9.223372036854775807e18', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
])('POST /v1/pets with a categoryId that is an int64 returns 201 for %.60s with all digits', async (sent, returned) => {
  const response = await create(sent);
  const { id } = response.json as { id: bigint };
  expect(response.status, response.text).toBe(201);
  expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":${returned},"status":"available"}`);
  expect((await service.api.get(`/v1/pets/${id}`)).text).toBe(response.text);
});

describe('POST /v1/pets with a categoryId that is not an int64', () => {
  const range = 'must be an integer between -9223372036854775808 and 9223372036854775807';
  it.each([
    ['9223372036854775808', range],
    ['1e400', range],
    ['9'.repeat(60_000), range],
    ['1.00000000000000000001', range],
    [`1.${'0'.repeat(400)}1`, range],
    ['"1"', 'must be an integer, not a string'],
    ['null', 'must be an integer, not null'],
  ])('returns 400 invalid_body for %.60s: it %s', async (sent, fault) => {
    expect(expectError(await create(sent), 'invalid_body')).toBe(`\`categoryId\` ${fault}.`);
  });

  it.each(['01', '+1', '1.', '.5', '0x10', 'NaN', '1e'])('returns 400 invalid_json for %s', async (sent) => {
    expectError(await create(sent), 'invalid_json');
  });
});
