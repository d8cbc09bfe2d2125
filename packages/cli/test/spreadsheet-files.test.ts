import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toEncoding } from '../src/import/read-settings.js';
import { file, newCategory, run } from './support/command.js';
import { storedNames } from './support/store.js';

/** A CSV file whose names are these bytes. */
function fileWith(name: string, names: readonly string[], categoryId: bigint): string {
  const lines = names.map((bytes) => `${bytes};${categoryId}\r\n`);
  return file(name, Buffer.from(`name;categoryId\r\n${lines.join('')}`, 'latin1'));
}

function noteOf(encoding: string, names: string): string {
  return `The file is not UTF-8. Assuming ${encoding}: ${names}. If this is wrong, choose another with --encoding.\n`;
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
    const { stderr, code } = await run(['import', fileWith(`${encoding}.csv`, bytes, categoryId)]);
    expect([code, stderr]).toEqual([0, noteOf(encoding, shown)]);
    expect(await storedNames(categoryId)).toEqual(names);
  });

  it('is read with --encoding, without a guess, and again with one if another journal is chosen', async () => {
    const categoryId = newCategory();
    const name = fileWith('chosen.csv', ['J\x9frgen'], categoryId);
    expect(await run(['import', name, '--encoding', 'mac-roman'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storedNames(categoryId)).toEqual(['Jürgen']);
    const flags = ['--dry-run', '--json', '--journal', 'new.journal'];
    expect((await run(['import', name, ...flags])).stderr).toBe(noteOf('macintosh', '"Jürgen"'));
  });

  it.for([
    ['mac-roman', 'macintosh'],
    ['latin1', 'windows-1252'],
    ['CP1250', 'windows-1250'],
    ['sjis', 'shift_jis'],
    ['cp850', 'ibm850'],
    ['GBK', 'gb18030'],
    ['gb2312', 'gb18030'],
    ['cp949', 'euc-kr'],
  ])('may be in %s', ([name = '', encoding]) => expect(toEncoding(name)).toBe(encoding));

  it('cannot be read with an unknown --encoding, and the allowed ones are named', async () => {
    const { stderr, code } = await run(['import', fileWith('unknown.csv', ['Rex'], 7n), '--encoding', 'ebcdic']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--encoding cannot be "ebcdic". It must be one of: utf-8,'),
    ]);
  });
});

describe('a file of another format is named', () => {
  const gzip = gzipSync('name,categoryId\nRex,7\n');
  const workbook = 'PK\u0003\u0004..........................[Content_Types].xml....xl/workbook.xml';

  it.for<[string, Uint8Array | string, string[], string]>([
    ['animals.csv.gz', gzip, [], 'compressed by gzip (.gz), not CSV or NDJSON. Unpack it first.'],
    ['animals.csv.gz', gzip, ['--dry-run'], 'compressed by gzip (.gz), not CSV or NDJSON. Unpack it first.'],
    ['animals.xlsx', workbook, ['--json'], 'an Excel workbook (.xlsx)'],
    ['renamed.csv', '%PDF-1.4\n', ['--columns', 'name=a'], 'a PDF, not CSV or NDJSON. Ask for the list as CSV.'],
    ['-', workbook, [], 'an Excel workbook (.xlsx)'],
  ])('%s', async ([name, input, flags, message]) => {
    if (name !== '-') file(name, input);
    const { stderr, code } = await run(['import', name, ...flags], { input });
    const subject = name === '-' ? 'The input' : name;
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Error: ${subject} is ${message}`)]);
  });
});
