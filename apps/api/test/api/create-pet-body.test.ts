import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp({ bodyLimitBytes: 2000 });

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
  const escapeFault = 'must not follow a backslash';
  it.each([
    ['incomplete JSON', '{"name":"Rex"', 'unexpected end'],
    ['only white space', ' \n ', 'unexpected end'],
    ['a trailing comma', '{"name":"Rex","categoryId":7,}', 'unexpected character at position 29, `}`'],
    ['a comment', `${rex}//`, 'unexpected character at position 29, `/`'],
    ['two JSON texts', `${rex}\n${rex}`, 'unexpected character at position 30, `{`'],
    ['a byte order mark', `\ufeff${rex}`, 'unexpected character at position 0, a byte order mark (U+FEFF)'],
    ['a smart quotation mark', '{“name”:"Rex"}', 'unexpected character at position 1, U+201C'],
    ['an emoji', '{😀', 'unexpected character at position 1, U+1F600'],
    ['NUL', '\0', 'unexpected character at position 0, the control character U+0000'],
    ['an invalid escape', String.raw`{"name":"\x41"}`, `invalid string at position 8, in which \`x\` ${escapeFault}`],
    ['an unterminated string', String.raw`{"name":"Rex\"`, 'invalid string at position 8, which has no end'],
    [
      'a line break in a string',
      '{"name":"a\nb","categoryId":7}',
      'invalid string at position 8, which contains the control character U+000A: write it as an escape such as \\n',
    ],
  ])('returns 400 invalid_json and locates the error: %s', async (_kind, body, fault) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toBe(`The body is not valid JSON: ${fault}.`);
  });

  it.each([
    ['a single byte', [0x22, 0xff, 0x22]],
    ['an incomplete character', [0x22, 0xf0, 0x9f, 0x22]],
  ])('returns 400 invalid_json for a name that is not UTF-8: %s', async (_kind, name) => {
    const encoder = new TextEncoder();
    const body = Uint8Array.of(...encoder.encode('{"name":'), ...name, ...encoder.encode(',"categoryId":7}'));
    expect(expectError(await sendJson(body), 'invalid_json')).toBe('The body is not valid UTF-8.');
  });

  it('returns 400 invalid_json when there is no body', async () => {
    expect(expectError(await sendJson(''), 'invalid_json')).toContain('Send a JSON object');
    expect(expectError(await service.api.send('POST', '/v1/pets'), 'invalid_json')).toContain('Send a JSON object');
  });

  it.each([
    ['name', '{"name":"A","name":"B","categoryId":7}'],
    ['name', String.raw`{"name":"A","n\u0061me":"A","categoryId":7}`],
    ['__proto__', '{"__proto__":1,"__proto__":1}'],
    ['b', '{"a":{"b":1,"b":1}}'],
  ])('returns 400 invalid_json for a duplicate member "%s", at any depth: %s', async (member, body) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toBe(
      `The body is not valid JSON: duplicate member "${member}".`,
    );
  });

  it('returns 400 invalid_json when it is nested too deeply', async () => {
    const message = expectError(await sendJson(`${'['.repeat(900)}${']'.repeat(900)}`), 'invalid_json');
    expect(message).toContain('nested deeper than 100 levels');
  });
});

describe('POST /v1/pets with a body that is JSON', () => {
  it.each(['null', '1', '"Rex"', `[${rex}]`])(
    'returns 400 invalid_body for %s, which is not an object',
    async (body) => {
      expect(expectError(await sendJson(body), 'invalid_body')).toContain('The body must be a JSON object.');
    },
  );
});

describe('POST /v1/pets with a Content-Type', () => {
  it.each([
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json;charset=UTF-8' },
    { 'content-type': 'application/json; charset="latin1"; v="1;2"' },
    { 'content-type': 'Application/JSON' },
    { 'content-type': 'application/json', 'content-encoding': 'identity' },
  ])('returns 201 for %j', async (headers) => {
    expect((await send(rex, headers)).status).toBe(201);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json, text/plain', '', undefined])(
    'returns 415 unsupported_media_type for %s',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      expect(expectError(await send(rex, headers), 'unsupported_media_type')).toContain('application/json');
    },
  );

  it.each(['gzip', 'gzip, identity'])(
    'returns 415 unsupported_media_type for Content-Encoding: %s',
    async (encoding) => {
      const response = await send(rex, { 'content-type': 'application/json', 'content-encoding': encoding });
      expect(expectError(response, 'unsupported_media_type')).toContain('Content-Encoding');
    },
  );
});

describe('POST /v1/pets with a large body', () => {
  it('returns 201 up to BODY_LIMIT_BYTES, and 413 payload_too_large with the limit beyond it', async () => {
    const padded = rex.padEnd(2000, ' ');
    expect((await sendJson(padded)).status).toBe(201);
    expect(expectError(await sendJson(`${padded} `), 'payload_too_large')).toContain('2000 bytes');
  });

  it('returns 413 payload_too_large for a chunked body without a length', async () => {
    const response = await fetch(`${service.url}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: new Blob(['x'.repeat(100_000)]).stream(),
      duplex: 'half',
    });
    const { status, headers } = response;
    expectError({ status, headers, text: await response.text() }, 'payload_too_large');
  });
});
