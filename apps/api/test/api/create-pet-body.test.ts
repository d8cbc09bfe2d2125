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

/** A create whose name is these bytes. */
function withName(...name: number[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return Uint8Array.of(...encoder.encode('{"name":'), ...name, ...encoder.encode(',"categoryId":7}'));
}

describe('POST /v1/pets with a body that is not JSON', () => {
  const notJson = 'The body is not valid JSON:';
  const invalidString = `${notJson} invalid string at position 8,`;
  it.each([
    ['incomplete JSON', '{"name":"Rex"', `${notJson} unexpected end.`],
    ['two JSON texts', `${rex}\n${rex}`, `${notJson} unexpected character at position 30, \`{\`.`],
    ['a byte order mark', `\ufeff${rex}`, `${notJson} unexpected character at position 0, a byte order mark (U+FEFF).`],
    ['an unterminated string', String.raw`{"name":"Rex\"`, `${invalidString} which has no end.`],
    [
      'a line break in a string',
      '{"name":"a\nb","categoryId":7}',
      `${invalidString} which contains the control character U+000A: write it as an escape such as \\n.`,
    ],
    ['a member twice', '{"name":"A","name":"B","categoryId":7}', `${notJson} duplicate member "name".`],
    ['an escaped one', String.raw`{"name":"A","n\u0061me":"A","categoryId":7}`, `${notJson} duplicate member "name".`],
    ['a byte that is not UTF-8', withName(0x22, 0xff, 0x22), 'The body is not valid UTF-8.'],
    ['an incomplete character', withName(0x22, 0xf0, 0x9f, 0x22), 'The body is not valid UTF-8.'],
  ])('returns 400 invalid_json and locates the error: %s', async (_kind, body, message) => {
    expect(expectError(await sendJson(body), 'invalid_json')).toBe(message);
  });

  it('returns 400 invalid_json when there is no body', async () => {
    expect(expectError(await sendJson(''), 'invalid_json')).toContain('Send a JSON object');
    expect(expectError(await service.api.send('POST', '/v1/pets'), 'invalid_json')).toContain('Send a JSON object');
  });
});

it.each(['null', '1', '"Rex"', `[${rex}]`])(
  'POST /v1/pets returns 400 invalid_body for %s, no object',
  async (body) => {
    expect(expectError(await sendJson(body), 'invalid_body')).toContain('The body must be a JSON object.');
  },
);

const json = { 'content-type': 'application/json' };
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
