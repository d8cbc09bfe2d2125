import { describe, expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';
import { doubtfulCells, type ReadOptions } from '../src/table.js';

/** A table with these names. */
function tableOf(names: string): string {
  return ['name,categoryId', ...names.split(' ').map((name) => `${name},7`), ''].join('\n');
}

/** The encoding, whether it is a guess, and the names below the header. Names that cannot be decoded are `undecodable`. */
async function namesOf(bytes: Uint8Array, options?: ReadOptions) {
  const { encoding, isGuess, rows } = await readTable(bytes, options);
  const names = rows.slice(1).map(({ cells, cellFaults }) => cellFaults?.[0] ?? cells[0]);
  return { encoding, isGuess, names: names.join(' ') };
}

const utf16 = (names: string) => Buffer.from(`\uFEFF${tableOf(names)}`, 'utf16le');

describe('the encoding of a file', () => {
  it.for<[string, string, Uint8Array]>([
    ['utf-8', 'Zoë ポチ', Buffer.from(tableOf('Zoë ポチ'))],
    ['utf-8', 'A\uFFFDB', Buffer.from(tableOf('A\uFFFDB'))],
    ['utf-8', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`)],
    ['utf-16le', 'Zoë ポチ', utf16('Zoë ポチ')],
    ['utf-16be', 'Zoë ポチ', utf16('Zoë ポチ').swap16()],
  ])('is UTF-8, or named by a byte order mark: %s, %s', async ([encoding, names, bytes]) => {
    expect(await namesOf(bytes)).toEqual({ encoding, isGuess: false, names });
  });

  it('is guessed to be Windows-1252 otherwise, and some cells show whether that is right', async () => {
    const bytes = Buffer.from(tableOf('Rex J\xf6rg K\xe4the'), 'latin1');
    expect(await namesOf(bytes)).toEqual({ encoding: 'windows-1252', isGuess: true, names: 'Rex Jörg Käthe' });
    expect(doubtfulCells(await readTable(bytes))).toEqual(['Jörg', 'Käthe']);
  });

  it('is UTF-8 if only a few cells have other bytes, which are faults', async () => {
    const bytes = Buffer.concat([Buffer.from(tableOf('Žofka Utfé')), Buffer.from('Ren\xe9,7\n', 'latin1')]);
    expect(await namesOf(bytes)).toEqual({ encoding: 'utf-8', isGuess: false, names: 'Žofka Utfé undecodable' });
  });

  it('has all characters of Windows-1252', async () => {
    const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
    const others = Array.from({ length: 96 }, (_, index) => String.fromCodePoint(index + 160)).join('');
    const bytes = Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128));
    const { rows } = await readTable(bytes, { encoding: 'windows-1252' });
    expect(rows[0]?.cells).toEqual([special + others]);
  });

  it.for<[string, string, string]>([
    ['macintosh', 'J\x9frgen Zo\x91', 'Jürgen Zoë'],
    ['windows-1250', '\x8eofka', 'Žofka'],
    ['shift_jis', '\x82\x71 \x82', 'Ｒ undecodable'],
  ])('can be chosen, and cells with other bytes are faults: %s', async ([encoding, bytes, names]) => {
    const result = await namesOf(Buffer.from(tableOf(bytes), 'latin1'), { encoding });
    expect(result).toEqual({ encoding, isGuess: false, names });
  });
});
