import { foldName, type Pet } from '@petstore/contracts';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { expectError } from '../support/expect-error.js';
import { addPet, idsOf, walk } from '../support/pets.js';
import { useTestApp } from '../support/test-app.js';

const service = useTestApp();

/** A category for the animals of one test. */
let category = 0;

async function addNames(...names: string[]): Promise<void> {
  category += 1;
  for (const name of names) await addPet(service.api, { name, categoryId: category });
}

/** The names in the category of the test that a search finds. */
async function found(q: string): Promise<string[]> {
  const { json, status, text } = await service.api.get(
    `/v1/pets?limit=100&categoryId=${category}&q=${encodeURIComponent(q)}`,
  );
  expect(status, text).toBe(200);
  return (json as Pet[]).map(({ name }) => name);
}

const rejected = async (query: string) => expectError(await service.api.get(`/v1/pets?${query}`), 'invalid_query');

describe('GET /v1/pets?q', () => {
  it('returns the animals whose name has every word, in any order, by id', async () => {
    await addNames('Rex the Brave', 'Brave Rexina', 'Rex', 'brave', 'T-REX BRAVEHEART');
    expect(await found('rex brave')).toEqual(['Rex the Brave', 'Brave Rexina', 'T-REX BRAVEHEART']);
    expect(await found('  brave\t\u3000rex\u00a0')).toEqual(['Rex the Brave', 'Brave Rexina', 'T-REX BRAVEHEART']);
    expect(await found('brave brave')).toEqual(['Rex the Brave', 'Brave Rexina', 'brave', 'T-REX BRAVEHEART']);
    expect(await found('rexbrave')).toEqual([]);
  });

  it.each([
    ['Zoë', ['zoe', 'ZOË', 'Zoe\u0308'], ['zoee']],
    ['Søren Łukasz Đorđe Guðrún', ['soren', 'SØREN', 'lukasz', 'dorde', 'gudrun', 'guðrún'], []],
    ['Straße ẞ', ['strasse', 'STRASSE', 'straße', 'ss'], ['strase']],
    ['IŞIK ışık', ['isik', 'ışık', 'IŞIK'], []],
    ['ΟΔΥΣΣΕΑΣ Οδυσσέας', ['οδυσσεας', 'ΟΔΥΣΣΈΑΣ', 'οδυσσέασ'], []],
    ['O’Malley', ["o'malley", 'o’malley'], ['omalley']],
    ['ﬁnn ① Ⅷ', ['finn', '1', 'viii'], []],
    ['ポチ', ['ポチ', 'ﾎﾟﾁ'], ['ホチ']],
    ['ดีใจ', ['ดีใจ'], ['ดใจ']],
  ])('folds the letters of %s', async (name, matching, others) => {
    await addNames(name);
    for (const q of matching) expect(await found(q), q).toEqual([name]);
    for (const q of others) expect(await found(q), q).toEqual([]);
  });

  it.each([
    ['re', ['Rex', 'Big Rex', 're'], ['Forest', '-Rex', 'Big-Rex', 'Big\u2003.Rex']],
    ['🐕a', ['🐕a Rex', 'a 🐕a'], ['a🐕a']],
    ['1%', ['1% off', 'a 1% b'], ['Rex', '1 off', '10']],
    ['\\%a', ['x\\%ax'], ['x%ax', 'xxa', 'x\\bax']],
  ])(
    'finds a short word only where a word begins, and takes every character literally: %s',
    async (q, matching, others) => {
      await addNames(...matching, ...others);
      expect(await found(q)).toEqual(matching);
    },
  );

  it('reads + as a space, and %2B as a plus sign', async () => {
    await addNames('rex max', 'rex+max');
    const names = async (q: string) =>
      ((await service.api.get(`/v1/pets?categoryId=${category}&q=${q}`)).json as Pet[]).map(({ name }) => name);
    expect(await names('max+rex')).toEqual(['rex max', 'rex+max']);
    expect(await names('rex%2Bmax')).toEqual(['rex+max']);
  });

  it.each([
    ['', 'must have 1 to 8 words'],
    ['%20%09%C2%A0%E3%80%80', 'must have 1 to 8 words'],
    ['a+b+c+d+e+f+g+h+i', 'must have 1 to 8 words, not 9'],
    ['a'.repeat(101), 'must have at most 100 characters'],
    ['rex%00', 'must not contain a NUL character'],
    ...['__', '-', '&', '🐕', '’', '\u0301', 'ͺ'].map((word) => [
      `rex+${encodeURIComponent(word)}`,
      `must have a letter or a digit in every word. Remove "${word}"`,
    ]),
  ])('returns 400 invalid_query for q=%s', async (q, fault) => {
    expect(await rejected(`q=${q}`)).toBe(`\`q\` ${fault}.`);
  });

  const limits = [
    'a+b+c+d+e+f+g+h',
    'a'.repeat(100),
    encodeURIComponent(`a${'🐕'.repeat(99)}`),
    `${'+'.repeat(99)}a`,
    '%C2%BD',
    '%E2%84%A2',
  ];
  it.each(limits)('returns 200 for q=%s', async (q) => void idsOf(await service.api.get(`/v1/pets?q=${q}`)));
});

describe('GET /v1/pets?q with a number', () => {
  it('also returns the animal with this id, once, if it matches the other filters', async () => {
    category += 1;
    const numbered = await addPet(service.api, { name: 'Bella', categoryId: category });
    const { id } = numbered;
    const named = await addPet(service.api, { name: `Rex ${id}`, categoryId: category });
    const sold = await addPet(service.api, { name: `${id}`, categoryId: category, status: 'sold' });
    // Its name has its own number.
    await service.sql(`UPDATE pet SET name = 'Max ${sold.id}' WHERE id = ${sold.id}`);
    const list = async (query: string) => idsOf(await service.api.get(`/v1/pets?categoryId=${category}&${query}`));
    expect(await list(`q=${id}`)).toEqual([id, named.id]);
    expect(await list(`q=+${id}+`)).toEqual([id, named.id]);
    expect(await list(`q=${id}&order=desc`)).toEqual([named.id, id]);
    expect(await list(`q=${id}&status=sold`)).toEqual([]);
    expect(await list(`q=${sold.id}`)).toEqual([sold.id]);
    expect(await walk(service.api, `/v1/pets?limit=1&categoryId=${category}&q=${id}`)).toEqual([[id], [named.id]]);
    for (const q of [`0${id}`, `-${id}`, `%23${id}`, `${id}+bella`, `${id}.0`, '9223372036854775808']) {
      expect(await list(`q=${q}`), q).toEqual([]);
    }
    const { headers } = await service.api.get(`/v1/pets?limit=1&categoryId=${category}&q=${id}`, {
      prefer: 'count=exact',
    });
    expect(headers.get('x-total-count')).toBe('2');
    expect(idsOf(await service.api.get(`/v1/pets?q=${id}&categoryId=${category + 1}`))).toEqual([]);
    expect(idsOf(await service.api.get('/v1/pets?q=9223372036854775807'))).toEqual([]);
  });
});

/** These letters are newer than Unicode 14, which PostgreSQL 15 knows. */
const newer = /[\u1C89\uA7CB-\uA7CF\uA7D2\uA7D4\uA7DA-\uA7DC\uA7F1]/;

/** Every character of a range that Node knows, alone and between letters, without NUL and surrogates. */
function textsOf(first: number, last: number): string[] {
  const characters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  const known = characters.filter((character) => !/[\0\p{Cn}\p{Cs}]/u.test(character) && !newer.test(character));
  return known.flatMap((character) => [character, `A${character}Ï`]);
}

it.each([
  ['most scripts', 0x0, 0xff_ff],
  ['Deseret', 0x1_04_00, 0x1_04_4f],
  ['mathematical letters', 0x1_d4_00, 0x1_d7_ff],
  ['emoji', 0x1_f0_00, 0x1_f6_ff],
  ['compatibility ideographs', 0x2_f8_00, 0x2_fa_1f],
])(
  'fold_name of the database and foldName of the contracts give the same text for every character: %s',
  async (_, first, last) => {
    const texts = textsOf(first, last);
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query<{ folded: string }>(
      'SELECT fold_name(text) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t(text, position) ORDER BY position',
      [texts],
    );
    expect(rows).toHaveLength(texts.length);
    expect(texts.filter((text, index) => rows[index]?.folded !== foldName(text))).toEqual([]);
  },
);
