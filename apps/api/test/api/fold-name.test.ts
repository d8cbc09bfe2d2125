import { foldName } from '@petstore/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { useDatabase } from '../support/scratch-database.js';

const database = useDatabase();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(() => client.end());

/** These letters are newer than Unicode 14, which PostgreSQL 15 knows. */
const newer = /[\u1C89\uA7CB-\uA7CF\uA7D2\uA7D4\uA7DA-\uA7DC\uA7F1]/;

/** Every character of a range that Node knows, alone and between letters, without NUL and surrogates. */
function textsOf(first: number, last: number): string[] {
  const characters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  const known = characters.filter((character) => !/[\0\p{Cn}\p{Cs}]/u.test(character) && !newer.test(character));
  return known.flatMap((character) => [character, `A${character}Ï`]);
}

describe('fold_name of the database and foldName of the contracts', () => {
  it.each([
    ['most scripts', 0x0, 0xff_ff],
    ['Deseret', 0x1_04_00, 0x1_04_4f],
    ['mathematical letters', 0x1_d4_00, 0x1_d7_ff],
    ['emoji', 0x1_f0_00, 0x1_f6_ff],
    ['compatibility ideographs', 0x2_f8_00, 0x2_fa_1f],
  ])('give the same text for every character: %s', async (_, first, last) => {
    const texts = textsOf(first, last);
    const { rows } = await client.query<{ folded: string }>(
      'SELECT fold_name(text) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t(text, position) ORDER BY position',
      [texts],
    );
    expect(rows).toHaveLength(texts.length);
    expect(texts.filter((text, index) => rows[index]?.folded !== foldName(text))).toEqual([]);
  });
});
