import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp({ bodyLimitBytes: 2000 });
});
afterAll(() => service.close());

const rex = '{"name":"Rex","categoryId":7}';

/** fetch sets no media type for bytes. */
function send(body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const bytes = typeof body === 'string' ? new Uint8Array(Buffer.from(body)) : body;
  return service.api.send('POST', '/v1/pets', { headers, body: bytes });
}

function sendJson(body: Uint8Array<ArrayBuffer> | string): Promise<ApiResponse> {
  return send(body, { 'content-type': 'application/json' });
}

describe('POST /v1/pets with a body that is not JSON', () => {
  it.each([
    ['incomplete JSON', '{"name":"Rex"', 'unexpected end'],
    ['a trailing comma', '{"name":"Rex","categoryId":7,}', 'unexpected character at position 29'],
    ['single quotes', "{'name':'Rex','categoryId':7}", 'unexpected character at position 1'],
    ['a comment', `${rex}//`, 'unexpected character at position 29'],
    ['text after it', `${rex}x`, 'unexpected character at position 29'],
    ['two JSON texts', `${rex}\n${rex}`, 'unexpected character at position 30'],
    ['a missing colon', '{"name" "Rex"}', 'unexpected character at position 8'],
    ['no-break space', `\u00a0${rex}`, 'unexpected character at position 0'],
    ['a byte order mark', `\ufeff${rex}`, 'unexpected character at position 0'],
    ['a control character in a string', '{"name":"a\nb","categoryId":7}', 'invalid string at position 8'],
    ['an invalid escape', String.raw`{"name":"\x41","categoryId":7}`, 'invalid string at position 8'],
    ['an unterminated string', '{"name":"Rex', 'invalid string at position 8'],
    ['undefined', '{"name":"Rex","categoryId":undefined}', 'unexpected character at position 27'],
    ['only white space', ' \n ', 'unexpected end'],
    ['NUL', '\0', 'unexpected character at position 0'],
  ])('returns 400 invalid_json and locates the error: %s', async (_kind, body, fault) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toBe(`The body is not valid JSON: ${fault}.`);
  });

  it.each([
    ['a single byte', [0x22, 0xff, 0x22]],
    ['an incomplete character', [0x22, 0xf0, 0x9f, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
  ])('returns 400 invalid_json for a name that is not UTF-8: %s', async (_kind, name) => {
    const encoder = new TextEncoder();
    const body = Uint8Array.of(...encoder.encode('{"name":'), ...name, ...encoder.encode(',"categoryId":7}'));
    expect(expectError(await sendJson(body), 'invalid_json')).toBe('The body is not valid UTF-8.');
  });

  it('returns 400 invalid_json for UTF-16', async () => {
    expectError(await sendJson(new Uint8Array(Buffer.from(rex, 'utf16le'))), 'invalid_json');
  });

  it('returns 400 invalid_json when there is no body', async () => {
    expect(expectError(await sendJson(''), 'invalid_json')).toContain('Send a JSON object');
    expect(expectError(await service.api.send('POST', '/v1/pets'), 'invalid_json')).toContain('Send a JSON object');
  });

  it.each([
    '{"name":"A","name":"B","categoryId":7}',
    '{"name":"A","name":"A","categoryId":7}',
    String.raw`{"name":"A","n\u0061me":"B","categoryId":7}`,
  ])('returns 400 invalid_json for a duplicate member: %s', async (body) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toBe(
      'The body is not valid JSON: duplicate member "name".',
    );
  });

  it.each([
    '{"__proto__":1,"__proto__":1}',
    '{"constructor":1,"constructor":1}',
    '{"":1,"":1}',
    '{"a":{"b":1,"b":1}}',
    '[{"b":1,"b":1}]',
  ])('returns 400 invalid_json for a duplicate member, at any depth: %s', async (body) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toContain('duplicate member');
  });

  it('returns 400 invalid_json when it is nested too deeply', async () => {
    const message = expectError(await sendJson(`${'['.repeat(900)}${']'.repeat(900)}`), 'invalid_json');
    expect(message).toContain('nested deeper than 100 levels');
    expectError(await sendJson('['.repeat(1900)), 'invalid_json');
  });
});

describe('POST /v1/pets with JSON that is not an object', () => {
  it.each(['null', 'true', '1', '"Rex"', '[]', `[${rex}]`, '9223372036854775807'])(
    'returns 400 invalid_body for %s',
    async (body) => {
      expect(expectError(await sendJson(body), 'invalid_body')).toContain('The body must be a JSON object.');
    },
  );
});

describe('POST /v1/pets with white space around the object', () => {
  it('returns 201', async () => {
    expect((await sendJson(` \t\r\n${rex} \t\r\n`)).status).toBe(201);
  });
});

describe('POST /v1/pets with a Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; version=1; a=b',
    'application/json;',
    'Application/JSON',
  ])('returns 201 for %s', async (type) => {
    expect((await send(rex, { 'content-type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json, text/plain',
    'text/plain; application/json',
    'application',
    'json',
    '',
    '*/*',
  ])('returns 415 unsupported_media_type for %s', async (type) => {
    expect(expectError(await send(rex, { 'content-type': type }), 'unsupported_media_type')).toContain(
      'application/json',
    );
  });

  it('returns 415 unsupported_media_type when it is missing', async () => {
    expectError(await send(rex), 'unsupported_media_type');
  });

  it.each(['gzip', 'deflate', 'br', 'gzip, identity', 'x'])(
    'returns 415 unsupported_media_type for Content-Encoding: %s',
    async (encoding) => {
      const response = await send(rex, { 'content-type': 'application/json', 'content-encoding': encoding });
      expect(expectError(response, 'unsupported_media_type')).toContain('Content-Encoding');
    },
  );

  it('returns 201 for Content-Encoding: identity', async () => {
    expect((await send(rex, { 'content-type': 'application/json', 'content-encoding': 'identity' })).status).toBe(201);
  });
});

describe('POST /v1/pets with a large body', () => {
  it('returns 201 up to the limit and 413 payload_too_large beyond it', async () => {
    const padded = rex.padEnd(2000, ' ');
    expect((await sendJson(padded)).status).toBe(201);
    expectError(await sendJson(`${padded} `), 'payload_too_large');
    expectError(await sendJson('x'.repeat(100_000)), 'payload_too_large');
  });

  it('returns 413 payload_too_large for a chunked body without a length', async () => {
    const body = new Blob(['x'.repeat(100_000)]).stream();
    const response = await fetch(`${service.url}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'payload_too_large', status: 413 }]);
  });
});
