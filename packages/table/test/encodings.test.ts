import { describe, expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';
import { doubtfulCells, type Encoding, type ReadOptions } from '../src/table.js';
import { encode } from './support/encode.js';

/** A table with these names, as a spreadsheet saves it. */
function tableOf(names: string, [header, delimiter, end]: readonly string[] = ['name,categoryId', ',', '\n']): string {
  return [header, ...names.split(' ').map((name) => `${name}${delimiter}7`), ''].join(end);
}

/** The encoding, whether it is a guess, and the names below the header. Names that cannot be decoded are `undecodable`. */
async function namesOf(bytes: Uint8Array, options?: ReadOptions) {
  const { encoding, isGuess, rows } = await readTable(bytes, options);
  const names = rows.slice(1).map(({ cells, cellFaults }) => cellFaults?.[0] ?? cells[0]);
  return { encoding, isGuess, names: names.join(' ') };
}

const german = ['name;categoryId', ';', '\r\n'];
const mac = ['name;categoryId', ';', '\r'];

describe('the encoding of a file that is not UTF-8', () => {
  it.for<[Encoding, string, string[]?]>([
    ['windows-1252', 'Jörg Käthe Strauß', german],
    ['macintosh', 'Jörg Käthe Strauß', mac],
    ['macintosh', 'Rex Bella Jürgen Max'],
    ['macintosh', 'Éclair Noëlm Müsli'],
    ['windows-1252', 'Hélène Niña Forêt Rex’s'],
    ['windows-1250', 'Žužu Kuřátko Zdeněk Bělouš', german],
    ['windows-1251', 'Матроскин Тузик'],
    ['windows-1253', 'Ασπρούλης Μπάμπης Σκύλος'],
    ['windows-1254', 'Fındık Köpüş Çıtır Yağmur'],
    ['shift_jis', 'チャッピー いちご 虎太郎', ['name\tcategoryId', '\t', '\r\n']],
    ['gb18030', '点点 皮皮 元宝 可乐'],
    ['big5', '點點 皮皮 元寶 可樂 阿福'],
    ['euc-kr', '몽이 호두 구찌'],
  ])('is guessed by the letters of names: %s, %s', async ([encoding, names, form]) => {
    const bytes = encode(tableOf(names, form), encoding);
    expect(await namesOf(bytes)).toEqual({ encoding, isGuess: true, names });
  });

  it('is guessed by a few letters in a long text', async () => {
    const [ascii, names] = ['Rex '.repeat(5000), 'Žofka Kuřátko Zdeněk Bělouš'];
    const table = await readTable(encode(tableOf(`${ascii}${names.replaceAll(' ', ` ${ascii}`)}`), 'windows-1250'));
    expect([table.encoding, doubtfulCells(table)]).toEqual(['windows-1250', names.split(' ')]);
  });

  it.for<[Encoding, string]>([
    ['utf-16le', 'Zoë Jürgen'],
    ['utf-16be', '一郎 タマ\u3000二 三一'],
    ['utf-16le', 'Āris Ķīsis'],
  ])('is guessed by the NULs of %s without a byte order mark: %s', async ([encoding, names]) => {
    const bytes = Buffer.from(tableOf(names, ['name\tcategoryId', '\t', '\r\n']), 'utf16le');
    if (encoding === 'utf-16be') bytes.swap16();
    expect(await namesOf(bytes)).toEqual({ encoding, isGuess: true, names });
  });

  it.for(['Žofka Řehoř Kuřátko Štěně', 'Utfé'])('is UTF-8 if only a cell has other bytes: %s', async (names) => {
    const bytes = Buffer.concat([Buffer.from(tableOf(names)), Buffer.from('Ren\xe9,7\n', 'latin1')]);
    expect(await namesOf(bytes)).toEqual({ encoding: 'utf-8', isGuess: false, names: `${names} undecodable` });
  });

  it.for<[Encoding, string, Uint8Array]>([
    ['utf-8', 'Zoë ポチ', Buffer.from(tableOf('Zoë ポチ'))],
    ['utf-8', 'A\uFFFDB', Buffer.from(tableOf('A\uFFFDB'))],
    ['utf-8', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`)],
    ['utf-16le', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`, 'utf16le')],
    ['utf-16be', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`, 'utf16le').swap16()],
  ])('is no guess for ASCII, UTF-8 and a byte order mark: %s, %s', async ([encoding, names, bytes]) => {
    expect(await namesOf(bytes)).toEqual({ encoding, isGuess: false, names });
  });

  it('is UTF-8 for NDJSON', async () => {
    const bytes = Buffer.from('{"name":"Zo\xeb"}', 'latin1');
    const { encoding, rows } = await readTable(bytes, { fields: ['name'] });
    expect([encoding, rows[0]?.cellFaults]).toEqual(['utf-8', { 0: 'undecodable' }]);
  });

  it('has all characters of Windows-1252', async () => {
    const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
    const others = Array.from({ length: 96 }, (_, index) => String.fromCodePoint(index + 160)).join('');
    const bytes = Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128));
    const { rows } = await readTable(bytes, { encoding: 'windows-1252' });
    expect(rows[0]?.cells).toEqual([special + others]);
  });

  it('can be chosen, and cells with other bytes are faults', async () => {
    const bytes = encode(tableOf('Jürgen Zoë'), 'macintosh');
    expect((await namesOf(bytes, { encoding: 'windows-1252' })).names).toBe('J\u0178rgen Zo\u2018');
    const halfCharacter = encode('name,categoryId\nＲ', 'shift_jis').subarray(0, -1);
    expect((await namesOf(halfCharacter, { encoding: 'shift_jis' })).names).toBe('undecodable');
  });
});
