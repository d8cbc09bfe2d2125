import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

/** `name` is inserted into the JSON text unchanged, with its escapes. */
function createWritten(name: string): Promise<ApiResponse> {
  return service.api.post('/v1/pets', `{"name":${name},"categoryId":7}`);
}

const create = (name: unknown) => createWritten(JSON.stringify(name));

it.each([
  ['200 letters', 'R'.repeat(200)],
  ['200 code points of two UTF-16 units each', '🐈'.repeat(200)],
  ['white space around it', '  Rex\t\n'],
  ['a combining mark', 'Zoe\u0308'],
  ['a byte order mark', '\ufeffRex'],
  ['quotes, backslashes, HTML and SQL', `"\\' <script>alert(1)</script> \${x}'); DROP TABLE pet; --`],
])('POST /v1/pets with a valid name returns 201 with the name as it was sent: %s', async (_kind, name) => {
  const response = await create(name);
  expect(response.json).toMatchObject({ name });
  const { id } = response.json as { id: bigint };
  for (const path of [`/v1/pets?id=${id}`, '/v1/pets?order=desc&limit=1']) {
    expect((await service.api.get(path)).text).toBe(`[${response.text}]`);
  }
});

describe('POST /v1/pets with an invalid name', () => {
  it.each([
    ['must not be empty', '""'],
    ['must have at most 200 Unicode code points', `"${'R'.repeat(201)}"`],
    ['must have at most 200 Unicode code points', `"${'🐈'.repeat(201)}"`],
    ['must not contain a NUL character', String.raw`"Rex\u0000"`],
    ['must be a string, not null', 'null'],
    ['must not contain an unpaired surrogate', String.raw`"\ud83d"`],
    ['must not contain an unpaired surrogate', String.raw`"\ud83d\ud83d\ude00"`],
  ])('returns 400 invalid_body: `name` %s (%#)', async (fault, name) => {
    expect(expectError(await createWritten(name), 'invalid_body')).toBe(`\`name\` ${fault}.`);
  });

  const whiteSpace =
    ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
  it('returns 400 invalid_body because it is only white space', async () => {
    for (const name of [...whiteSpace, whiteSpace]) {
      const message = expectError(await create(name), 'invalid_body');
      expect(message, `U+${name.codePointAt(0)?.toString(16)}`).toBe('`name` must not be only white space.');
    }
  });
});
