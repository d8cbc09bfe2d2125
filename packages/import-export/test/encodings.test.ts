import { describe, expect, it } from 'vitest';
import { detectEncoding } from '../src/detect-encoding.js';
import type { Encoding } from '../src/encoding.js';
import { readCsvStart } from '../src/read-start.js';
import { encode } from './support/encode.js';
import { faultsOf, fileOf, rowsOf } from './support/files.js';

/** A table with these names, as a spreadsheet saves it. */
function tableOf(names: string, [header, delimiter, end]: readonly string[] = ['name,categoryId', ',', '\n']): string {
  return [header, ...names.split(' ').map((name) => `${name}${delimiter}7`), ''].join(end);
}

async function namesOf(bytes: Uint8Array, settings: Parameters<typeof rowsOf>[1] = {}): Promise<string[]> {
  const rows = await rowsOf(bytes, { chunkBytes: 5, ...settings });
  return rows.map((row) => ('pet' in row ? row.pet.name : 'invalid'));
}

const german = ['name;categoryId', ';', '\r\n'];
const mac = ['name;categoryId', ';', '\r'];

describe('the encoding of a file that is not UTF-8', () => {
  it.for<[Encoding, string, string[]?]>([
    ['windows-1252', 'Jörg Käthe Strauß', german],
    ['windows-1252', 'Simão Açaí Pituxã'],
    ['windows-1252', 'Zoë „€5“ ’–'],
    ['macintosh', 'Jörg Käthe Strauß', mac],
    ['macintosh', 'Rex Bella Jürgen Max'],
    ['windows-1250', 'Žužu Kuřátko Zdeněk Bělouš', german],
    ['windows-1250', 'Wąsik Świnka Łapka'],
    ['iso-8859-2', 'Křeček Šmudla Přemek Líza'],
    ['windows-1251', 'Матроскин Тузик'],
    ['windows-1253', 'Ασπρούλης Μπάμπης Σκύλος'],
    ['windows-1254', 'Fındık Köpüş Çıtır Yağmur'],
    ['ibm850', 'Jörg Käthe Bürste', german],
    ['shift_jis', 'チャッピー いちご 虎太郎', ['name\tcategoryId', '\t', '\r\n']],
    ['euc-jp', 'チャッピー いちご'],
    ['gb18030', '点点 皮皮 元宝 可乐'],
    ['big5', '點點 皮皮 元寶 可樂 阿福'],
    ['euc-kr', '몽이 호두 구찌'],
  ])('is guessed by the letters of names: %s, %s', async ([encoding, names, form]) => {
    const bytes = encode(tableOf(names, form), encoding);
    expect(await detectEncoding(fileOf(bytes))).toEqual({ encoding, isGuess: true });
    expect(await namesOf(bytes)).toEqual(names.split(' '));
    expect((await readCsvStart(fileOf(bytes)))?.doubtful).toEqual(
      names.split(' ').filter((name) => /[^\p{ASCII}]/u.test(name)),
    );
  });

  it.for<[string, string, Uint8Array, string[]]>([
    ['a cell in Windows-1252', 'Zoë Jürgen Pépé Häßlich', Buffer.from('Ren\xe9,7\n', 'latin1'), ['6: undecodable']],
    ['half a character', 'Žofka Řehoř Kuřátko Štěně', Buffer.from([0xc5, 0x2c, 0x37]), ['6: undecodable']],
  ])('is UTF-8 if only a line has %s', async ([, names, line, faults]) => {
    const bytes = Buffer.concat([Buffer.from(tableOf(names)), line]);
    expect(await detectEncoding(fileOf(bytes))).toEqual({ encoding: 'utf-8', isGuess: false });
    expect(await faultsOf(bytes)).toEqual(faults);
  });

  it('is guessed by a letter after a long text without one', async () => {
    for (const chunkBytes of [7, 1000, 65_536]) {
      const file = fileOf(encode(tableOf(`${'Rex '.repeat(20_000)}Žofka Kuřátko`), 'windows-1250'), chunkBytes);
      expect((await detectEncoding(file)).encoding).toBe('windows-1250');
    }
  });

  it.for<[Encoding, 'utf16le' | 'swapped']>([
    ['utf-16le', 'utf16le'],
    ['utf-16be', 'swapped'],
  ])('is guessed by the NULs of %s without a byte order mark', async ([encoding, form]) => {
    for (const names of ['Rex Bella', 'Zoë Jürgen', 'ポチ タマ', 'Шарик Мурка', '一郎 タマ　二 三一', 'Āris Ķīsis']) {
      const bytes = Buffer.from(tableOf(names, ['name\tcategoryId', '\t', '\r\n']), 'utf16le');
      if (form === 'swapped') bytes.swap16();
      expect(await detectEncoding(fileOf(bytes))).toEqual({ encoding, isGuess: true });
      expect(await namesOf(bytes)).toEqual(names.split(' ').map((name) => name.replace('\u3000', ' ')));
    }
  });

  it.for<[Encoding, string, Uint8Array]>([
    ['utf-8', 'Rex', Buffer.from(tableOf('Rex'))],
    ['utf-8', 'Zoë ポチ', Buffer.from(tableOf('Zoë ポチ'))],
    ['utf-8', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`)],
    ['utf-16le', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`, 'utf16le')],
    ['utf-16be', 'Zoë ポチ', Buffer.from(`\uFEFF${tableOf('Zoë ポチ')}`, 'utf16le').swap16()],
  ])('is no guess for ASCII, UTF-8 and a byte order mark: %s, %s', async ([encoding, names, bytes]) => {
    for (const chunkBytes of [1, 3, 1000]) {
      expect(await detectEncoding(fileOf(bytes, chunkBytes))).toEqual({ encoding, isGuess: false });
      expect(await namesOf(bytes, { chunkBytes })).toEqual(names.split(' '));
    }
    expect((await readCsvStart(fileOf(bytes)))?.doubtful).toEqual([]);
  });

  it('is UTF-8 for NDJSON', async () => {
    const bytes = Buffer.from('{"name":"Zo\xeb","categoryId":7}', 'latin1');
    expect((await detectEncoding(fileOf(bytes))).isGuess).toBe(false);
    expect(await faultsOf(bytes)).toEqual(['1: undecodable']);
  });

  it('has all characters of Windows-1252, of which names have those that are seen', async () => {
    const special = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
    const others = Array.from({ length: 96 }, (_, index) => String.fromCodePoint(index + 160)).join('');
    const bytes = Buffer.from(Array.from({ length: 128 }, (_, index) => index + 128));
    const file = Buffer.concat([Buffer.from('name,categoryId\n'), bytes, Buffer.from(',7')]);
    expect(await namesOf(file, { encoding: 'windows-1252' })).toEqual([
      (special + others).replace('\u00A0', ' ').replaceAll(/[\p{Cc}\u00AD]/gu, ''),
    ]);
  });

  it('can be chosen, and a line with other bytes is invalid', async () => {
    const bytes = encode(tableOf('Jürgen Zoë'), 'macintosh');
    expect(await namesOf(bytes, { encoding: 'windows-1252' })).toEqual(['J\u0178rgen', 'Zo\u2018']);
    expect(await faultsOf(bytes, { encoding: 'utf-8' })).toEqual(['2: undecodable', '3: undecodable']);
    expect(
      await faultsOf(encode('name,categoryId\nＲ', 'shift_jis').subarray(0, -1), { encoding: 'shift_jis' }),
    ).toEqual(['2: undecodable']);
    const halfPair = Buffer.from('\uFEFFname,categoryId\nRex,7\n\ud83dRex,7\n', 'utf16le');
    expect(await faultsOf(halfPair)).toEqual(['3: undecodable']);
  });
});
