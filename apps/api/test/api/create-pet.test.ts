import { newPetFields } from '@petstore/contracts';
import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startOn, useTestApp } from '../support/test-app.js';

const service = useTestApp();

const rex = '{"name":"Rex","categoryId":7}';
const json = { 'content-type': 'application/json' };

/** fetch sets no media type for bytes. */
function send(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = json): Promise<ApiResponse> {
  const bytes = typeof body === 'string' ? new Uint8Array(Buffer.from(body)) : body;
  return service.api.send('POST', '/v1/pets', { headers, body: bytes });
}

/** A create whose name is these bytes. */
function withName(...name: number[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return Uint8Array.of(...encoder.encode('{"name":'), ...name, ...encoder.encode(',"categoryId":7}'));
}

async function rejected(body: unknown): Promise<string> {
  return expectError(await service.api.post('/v1/pets', body), 'invalid_body');
}

it('POST /v1/pets returns 201 with the pet and its Location, and a higher id for each pet', async () => {
  const create = (status: string) => service.api.post('/v1/pets', { name: 'Rex', categoryId: 7, status });
  const response = await create('pending');
  const { id } = response.json as { id: bigint };
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"pending"}`);
  expect(response.headers.get('location')).toBe(`/v1/pets/${id}`);
  expect((await create('sold')).json).toMatchObject({ id: id + 1n });
});

describe('POST /v1/pets stores and returns exactly', () => {
  it.each([
    ['200 letters', 'R'.repeat(200)],
    ['200 code points of two UTF-16 units each', '🐈'.repeat(200)],
    ['white space around it', '  Rex\t\n'],
    ['a combining mark', 'Zoe\u0308'],
    ['a byte order mark', '\ufeffRex'],
    ['quotes, backslashes, HTML and SQL', `"\\' <script>alert(1)</script> \${x}'); DROP TABLE pet; --`],
  ])('the name: %s', async (_kind, name) => {
    const response = await service.api.post('/v1/pets', { name, categoryId: 7 });
    expect(response.json).toMatchObject({ name });
    const { id } = response.json as { id: bigint };
    for (const path of [`/v1/pets?id=${id}`, '/v1/pets?order=desc&limit=1']) {
      expect((await service.api.get(path)).text).toBe(`[${response.text}]`);
    }
  });

  it.each([
    ['0', '0'],
    ['-0.00e-7', '0'],
    [`1.${'0'.repeat(400)}`, '1'],
    ['9223372036854775807', '9223372036854775807'],
    ['9007199254740993.0', '9007199254740993'],
    ['9.223372036854775807e18', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
  ])('the categoryId, with all digits: %.60s', async (sent, returned) => {
    const response = await service.api.post('/v1/pets', `{"name":"Rex","categoryId":${sent}}`);
    const { id } = response.json as { id: bigint };
    expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":${returned},"status":"available"}`);
    expect((await service.api.get(`/v1/pets/${id}`)).text).toBe(response.text);
  });
});

describe('POST /v1/pets returns 400 invalid_body', () => {
  const range = 'must be an integer between -9223372036854775808 and 9223372036854775807';
  it.each([
    ['name', '""', 'must not be empty'],
    ['name', `"${'R'.repeat(201)}"`, 'must have at most 200 Unicode code points'],
    ['name', `"${'🐈'.repeat(201)}"`, 'must have at most 200 Unicode code points'],
    ['name', String.raw`"Rex\u0000"`, 'must not contain a NUL character'],
    ['name', 'null', 'must be a string, not null'],
    ['name', String.raw`"\ud83d"`, 'must not contain an unpaired surrogate'],
    ['name', String.raw`"\ud83d\ud83d\ude00"`, 'must not contain an unpaired surrogate'],
    ['categoryId', '9223372036854775808', range],
    ['categoryId', '1e400', range],
    ['categoryId', '9'.repeat(8000), range],
    ['categoryId', '1.00000000000000000001', range],
    ['categoryId', `1.${'0'.repeat(400)}1`, range],
    ['categoryId', '"1"', 'must be an integer, not a string'],
    ['categoryId', 'null', 'must be an integer, not null'],
    ...['null', '""', '"Available"', '0', '["sold"]'].map((value) => [
      'status',
      value,
      'must be one of: available, pending, sold',
    ]),
  ])('because `%s` is %.60s, which %s', async (field, value, fault) => {
    const members = Object.entries({ name: '"Rex"', categoryId: '7', [field]: value });
    const body = `{${members.map(([name, text]) => `"${name}":${text}`).join()}}`;
    expect(await rejected(body)).toBe(`\`${field}\` ${fault}.`);
  });

  const whiteSpace =
    ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
  it('because the name is only white space', async () => {
    for (const name of [...whiteSpace, whiteSpace]) {
      const message = await rejected({ name, categoryId: 7 });
      expect(message, `U+${name.codePointAt(0)?.toString(16)}`).toBe('`name` must not be only white space.');
    }
  });

  it.each(['id', 'Name', 'other', '__proto__', 'constructor', '', 'a"b'])(
    'because the member %j is unknown, and names what is allowed',
    async (member) => {
      const escaped = JSON.stringify(member).slice(1, -1);
      const message = await rejected(`{"name":"Rex","categoryId":7,"${escaped}":null}`);
      expect(message).toBe(`\`${escaped}\` is unknown. Allowed: ${newPetFields.join(', ')}.`);
    },
  );

  it('with every missing or invalid member, and creates nothing', async () => {
    const count = () => service.sql('SELECT count(*) FROM pet');
    const before = await count();
    expect(await rejected({})).toBe('`name` is required. `categoryId` is required.');
    const message = await rejected({ name: '', categoryId: '1', status: 'gone', other: 1, tag: 2 });
    for (const name of ['name', 'categoryId', 'status', 'other', 'tag']) expect(message).toContain(`\`${name}\``);
    expect(await count()).toEqual(before);
  });

  it.each(['null', '1', '"Rex"', `[${rex}]`])('for %s, which is no object', async (body) => {
    expect(await rejected(body)).toContain('The body must be a JSON object.');
  });
});

describe('POST /v1/pets returns 400 invalid_json', () => {
  const notJson = 'The body is not valid JSON:';
  it.each<[kind: string, body: Uint8Array<ArrayBuffer> | string, message: string]>([
    ['incomplete JSON', '{"name":"Rex"', `${notJson} Quoted object key or end of object '}' expected but reached end`],
    ['two JSON texts', `${rex}\n${rex}`, `${notJson} Expected end of input but got '{' at position 30.`],
    ['a byte order mark', `\ufeff${rex}`, String.raw`${notJson} JSON value expected but got '\ufeff' at position 0.`],
    ['an unterminated string', String.raw`{"name":"Rex\"`, `${notJson} End of string '"' expected but reached end`],
    ['a line break in a string', '{"name":"a\nb"}', String.raw`${notJson} Invalid character '\u000a' at position 10.`],
    ['two values', '{"name":"A","name":"B"}', `${notJson} Duplicate key 'name' encountered at position 13.`],
    ['an escaped one', String.raw`{"name":"A","n\u0061me":"B"}`, `${notJson} Duplicate key 'name' encountered`],
    ['a byte that is not UTF-8', withName(0x22, 0xff, 0x22), 'The body is not valid UTF-8.'],
    ['an incomplete character', withName(0x22, 0xf0, 0x9f, 0x22), 'The body is not valid UTF-8.'],
    ['no body', '', 'The body is empty. Send a JSON object.'],
    ...['01', '+1', '1.', '.5', '0x10', 'NaN', '1e'].map((number): [string, string, string] => [
      number,
      `{"name":"Rex","categoryId":${number}}`,
      notJson,
    ]),
  ])('and locates the error: %s', async (_kind, body, message) => {
    expect(expectError(await send(body), 'invalid_json')).toContain(message);
  });

  it.each(['[', '{"name":'])(
    'for 16 MiB of %s, which exhaust the stack of the parser, and stays available',
    async (text) => {
      const large = await startOn(service.databaseUrl, { bodyLimitBytes: 2 ** 24 });
      const body = text.repeat(2 ** 24 / text.length);
      expect(expectError(await large.api.post('/v1/pets', body), 'invalid_json')).toBe(`${notJson} Nested too deeply.`);
      expect((await large.api.post('/v1/pets', rex)).status).toBe(201);
    },
  );

  it('with at most 2,000 bytes, also when a name with two values or a number is long', async () => {
    const name = JSON.stringify('x\u0001'.repeat(500));
    for (const body of [`{${name}:1,${name}:2}`, `{"categoryId":${'9'.repeat(8000)}.}`]) {
      const response = await service.api.post('/v1/pets', body);
      expect(expectError(response, 'invalid_json')).toMatch(/…\.$/);
      expect(Buffer.byteLength(response.text)).toBeLessThanOrEqual(2000);
    }
  });

  it('for a request without body and media type', async () => {
    expectError(await service.api.send('POST', '/v1/pets'), 'invalid_json');
  });
});

it('POST /v1/pets returns 201 when a member is repeated with an equal value', async () => {
  const response = await service.api.post('/v1/pets', '{"name":"A","categoryId":7,"n\\u0061me":"A","categoryId":7.0}');
  expect(response).toMatchObject({ status: 201, json: { name: 'A', categoryId: 7n } });
});

it.each<[headers: Record<string, string>, fault: string]>([
  [json, ''],
  [{ 'content-type': 'application/json;charset=UTF-8' }, ''],
  [{ 'content-type': 'application/json; charset="latin1"; v="1;2"' }, ''],
  [{ ...json, 'content-encoding': 'identity' }, ''],
  [{ 'content-type': 'text/plain' }, 'application/json'],
  [{}, 'application/json'],
  [{ ...json, 'content-encoding': 'gzip' }, 'Content-Encoding'],
])('POST /v1/pets returns 201 for %j, or 415 unsupported_media_type that names "%s"', async (headers, fault) => {
  const response = await send(rex, headers);
  if (fault === '') expect(response.status).toBe(201);
  else expect(expectError(response, 'unsupported_media_type')).toContain(fault);
});

it.each<[what: string, count: number, nameOf: (index: number) => string, message: RegExp]>([
  ['many unknown members', 900, String, /^`name` is required\. .*`0`, .*`7` and 892 more are unknown\. Allowed: name/],
  ['long names', 12, (index) => `${index}${'x'.repeat(600)}`, /`0x{49}…`, `1x{49}…`, .* and 4 more are unknown/],
  ['names of control characters', 12, (index) => `${index}${'\u0001'.repeat(90)}`, /`0\\u0001.*…` and 4 more/],
  ['names of quotation marks', 12, (index) => `${index}${'"'.repeat(300)}`, / and 4 more/],
  ['names of emoji', 12, (index) => `${index}${'🐶'.repeat(80)}`, /`0🐶{24}…`, `1🐶{24}…`.* and 4 more/u],
])(
  'POST /v1/pets returns 400 with at most 2,000 bytes for %s, and names 10 faults',
  async (_what, count, nameOf, message) => {
    const members = Array.from({ length: count }, (_, index) => [nameOf(index), 1] as const);
    const response = await service.api.post('/v1/pets', Object.fromEntries(members));
    expect(expectError(response, 'invalid_body')).toMatch(message);
    expect(Buffer.byteLength(response.text)).toBeLessThanOrEqual(2000);
  },
);

it('POST /v1/pets returns 201 up to BODY_LIMIT_BYTES, and 413 beyond it, also without a length', async () => {
  const padded = rex.padEnd(8192, ' ');
  expect((await send(padded)).status).toBe(201);
  expect(expectError(await send(`${padded} `), 'payload_too_large')).toContain('8192 bytes');
  const chunked = await fetch(`${service.url}/v1/pets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, ...json },
    body: new Blob(['x'.repeat(100_000)]).stream(),
    duplex: 'half',
  });
  const { status, headers } = chunked;
  expectError({ status, headers, text: await chunked.text() }, 'payload_too_large');
});
