import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

/** A CSV file whose names are these bytes. */
function fileWith(name: string, names: readonly string[], categoryId: bigint): string {
  const lines = names.map((bytes) => `${bytes};${categoryId}\r\n`);
  return file(name, Buffer.from(`name;categoryId\r\n${lines.join('')}`, 'latin1'));
}

describe('a file that is not UTF-8', () => {
  it.for<[string, string[], string, string[]]>([
    ['windows-1252', ['Zo\xeb', 'J\xfcrgen \x80'], '"Zoë", "Jürgen €"', ['Jürgen €', 'Zoë']],
    ['macintosh', ['J\x9frgen', 'Andr\x8e', 'Rex'], '"Jürgen", "André"', ['André', 'Jürgen', 'Rex']],
    [
      'windows-1250',
      ['\x8ei\x9eka', 'P\xf8emek', 'D\xec\xb5a'.replace('\xb5', '\xef')],
      '"Žižka", "Přemek", "Děďa"',
      ['Děďa', 'Přemek', 'Žižka'],
    ],
    ['shift_jis', ['\x83n\x83`', '\x83^\x83}'], '"ハチ", "タマ"', ['タマ', 'ハチ']],
  ])('is read as %s, and the command prints this', async ([encoding, bytes, shown, names]) => {
    const categoryId = newCategory();
    const name = fileWith(`${encoding}.csv`, bytes, categoryId);
    const { stderr, code } = await run(['import', name]);
    const note = `The file is not UTF-8. Assuming ${encoding}: ${shown}. If this is wrong, choose another with --encoding.\n`;
    expect([code, stderr]).toEqual([0, note]);
    expect(await storedNames(categoryId)).toEqual(names);
    expect((await run(['import', name, '--dry-run', '--json', '--encoding', encoding])).stderr).toBe('');
    expect((await run(['import', name, '--dry-run', '--json', '--journal', 'new.journal'])).stderr).toBe(note);
  });

  it.for([
    ['mac-roman', 'J\x9frgen', 'Jürgen'],
    ['latin1', 'J\xfcrgen', 'Jürgen'],
    ['CP1250', '\xf8eka', 'řeka'],
    ['sjis', '\x83n\x83`', 'ハチ'],
    ['cp850', 'J\x81rgen', 'Jürgen'],
    ['GBK', '\xd0\xa1\xb0\xd7', '小白'],
    ['gb2312', '\xd0\xa1\xb0\xd7', '小白'],
    ['cp949', '\xc3\xca\xc4\xda', '초코'],
  ])('is read with --encoding %s', async ([encoding = '', bytes = '', expected]) => {
    const categoryId = newCategory();
    const name = fileWith(`chosen-${encoding}.csv`, [bytes], categoryId);
    expect(await run(['import', name, '--encoding', encoding])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual([expected]);
  });

  it('cannot be read with an unknown --encoding, and the allowed ones are named', async () => {
    const { stderr, code } = await run(['import', fileWith('unknown.csv', ['Rex'], 7n), '--encoding', 'ebcdic']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--encoding cannot be "ebcdic". It must be one of: utf-8,'),
    ]);
  });
});

describe('a file of another format', () => {
  it.for<[string, Uint8Array | string, string]>([
    [
      'animals.csv.gz',
      gzipSync('name,categoryId\nRex,7\n'),
      'compressed by gzip (.gz), not CSV or NDJSON. Unpack it first.',
    ],
    [
      'animals.xlsx',
      'PK\u0003\u0004..........................[Content_Types].xml....xl/workbook.xml',
      'an Excel workbook (.xlsx)',
    ],
    ['renamed.csv', '%PDF-1.4\n', 'a PDF, not CSV or NDJSON. Ask for the list as CSV.'],
  ])('is named: %s', async ([name, content, message]) => {
    const expected = [1, `Error: ${name} is ${message}`];
    for (const flags of [[], ['--json'], ['--columns', 'name=a'], ['--dry-run']]) {
      const { stderr, code } = await run(['import', file(name, content), ...flags]);
      expect([code, stderr.slice(0, expected[1]?.toString().length)]).toEqual(expected);
    }
    expect(await run(['import', '-'], { input: content })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`The input is ${message}`) as string,
    });
  });
});
