import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { expectError } from '../support/expect-error.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

function create(name: unknown): Promise<Answer> {
  return service.api.post('/v1/pets', { name, categoryId: 7 });
}

/** With the name as it stands in the JSON text, escapes and all. */
function createWritten(name: string): Promise<Answer> {
  return service.api.post('/v1/pets', `{"name":"${name}","categoryId":7}`);
}

async function refused(answer: Promise<Answer>): Promise<string> {
  const message = expectError(await answer, 'invalid_body');
  expect(message).toContain('name must be a string of 1 to 200 Unicode code points, not all white space');
  return message;
}

describe('POST /v1/pets with a name that can be used', () => {
  it.each([
    ['one letter', 'R'],
    ['200 letters', 'R'.repeat(200)],
    ['200 code points of two UTF-16 units each', '🐈'.repeat(200)],
    ['white space around it', '  Rex\t\n'],
    ['line breaks and other control characters', 'a\r\n\u0001\u001f\u007f\u0085b'],
    ['a combining mark', 'Zoe\u0308'],
    ['the composed form of the same', 'Zo\u00eb'],
    ['joined emoji and right-to-left text', '👩‍👩‍👧 مرحبا'],
    ['noncharacters and private characters', '\ufffe\uffff\ue000\u{10ffff}'],
    ['a byte order mark', '\ufeffRex'],
    ['invisible characters only, none of them white space', '\u200b\u2060'],
    ['quotes, backslashes and HTML', `"\\' <script>alert(1)</script> \${x}`],
    ['SQL', `'); DROP TABLE pet; --`],
    ['a number', '12345678901234567890'],
  ])('answers 201 and gives it back as it was sent: %s', async (_kind, name) => {
    const answer = await create(name);
    expect(answer.json).toMatchObject({ name });
    const { id } = answer.json as { id: bigint };
    for (const path of [`/v1/pets?id=${id}`, '/v1/pets?order=desc&limit=1']) {
      expect((await service.api.get(path)).text).toBe(`[${answer.text}]`);
    }
  });

  it('answers 201 for an escaped pair of surrogates, which is one character', async () => {
    expect((await createWritten(String.raw`\ud83d\ude00`)).json).toMatchObject({ name: '😀' });
  });
});

describe('POST /v1/pets with a name that cannot be used', () => {
  it.each([
    ['it is empty', ''],
    ['it is longer than 200 code points', 'R'.repeat(201)],
    ['it is longer than 200 code points', '🐈'.repeat(201)],
    ['it is longer than 200 code points', 'Zoe\u0308'.repeat(51)],
    ['it is longer than 200 code points', 'R'.repeat(60_000)],
    ['it holds a NUL character', 'Rex\0'],
    ['it holds a NUL character', '\0'],
  ])('answers 400 invalid_body because %s', async (reason, name) => {
    expect(await refused(create(name))).toContain(reason);
  });

  const whiteSpace =
    ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';
  it('answers 400 invalid_body because it is all white space, of whichever kind', async () => {
    for (const name of [...whiteSpace, whiteSpace]) {
      expect(await refused(create(name)), `U+${name.codePointAt(0)?.toString(16)}`).toContain('it is all white space');
    }
  });

  it.each([
    String.raw`\ud83d`,
    String.raw`\ude00`,
    String.raw`Rex\ud83d!`,
    String.raw`\ude00\ud83d`,
    String.raw`\ud83d\ud83d\ude00`,
  ])('answers 400 invalid_body because it holds half of a surrogate pair: %s', async (name) => {
    expect(await refused(createWritten(name))).toContain('it holds half of a surrogate pair');
  });

  it.each([null, 1, 1.5, true, ['Rex'], { first: 'Rex' }])(
    'answers 400 invalid_body because it is no string: %j',
    async (name) => {
      await refused(create(name));
    },
  );

  it('answers 400 invalid_body because it is missing', async () => {
    const message = expectError(await service.api.post('/v1/pets', { categoryId: 7 }), 'invalid_body');
    expect(message).toContain('name is missing, it must be a string of 1 to 200 Unicode code points');
  });
});
