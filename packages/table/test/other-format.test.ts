import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readTable } from '../src/read-table.js';

/** A ZIP file with these entries, as programs write them: not compressed, with a list of the names at the end. */
function zipOf(...entries: string[]): Buffer {
  const parts = entries.map((entry) => {
    const [name = '', content = 'x'] = entry.split('=');
    const header = Buffer.alloc(30);
    header.write('PK\u0003\u0004', 'latin1');
    header.writeUInt16LE(name.length, 26);
    header.writeUInt32LE(content.length, 18);
    return Buffer.concat([header, Buffer.from(name + content)]);
  });
  const names = entries.map((entry) => `PK\u0001\u0002${entry.split('=')[0]}`);
  return Buffer.concat([...parts, Buffer.from(names.join(''))]);
}

const picture = `preview.jpg=${'x'.repeat(70_000)}`;

it.for<[string, string | Uint8Array]>([
  ['an Excel workbook with a password, or an old one (.xls)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['an OpenDocument spreadsheet (.ods)', zipOf('mimetype=application/vnd.oasis.opendocument.spreadsheet')],
  ['a Numbers spreadsheet (.numbers)', zipOf('Index/Document.iwa', 'Index/Tables/DataList.iwa')],
  ['a Numbers spreadsheet (.numbers)', zipOf(picture, 'Index/Document.iwa')],
  ['a ZIP archive or a document', zipOf('[Content_Types].xml', 'ppt/presentation.xml')],
  ['a ZIP archive or a document', zipOf('animals.csv=name,categoryId')],
  ['a PDF', '%PDF-1.7\n'],
  ['a web page', '\uFEFF\n<!DOCTYPE html>\n<table>'],
])('A file is refused if it is %s', async ([name, content]) => {
  const reading = readTable(Buffer.from(content), { fields: ['name'] });
  await expect(reading).rejects.toThrow(/^The file is .*\. (Open|Choose|Ask) .*\.$/);
  await expect(reading).rejects.toThrow(`The file is ${name}. `);
});

it.for<[string, Uint8Array]>([
  ['random', Buffer.concat([Buffer.from([0xfe]), randomBytes(200_000)])],
  ['compressed', gzipSync('name,categoryId\nRex,7\n'.repeat(20))],
  ['UTF-16 without a byte order mark', Buffer.from('name,categoryId\nRex,7\n', 'utf16le')],
])('A file is refused if it is no text: %s', async ([, bytes]) => {
  await expect(readTable(bytes)).rejects.toThrow('The file is not a table. Save it as');
});

it.for<[string, string | Uint8Array]>([
  ['with tags', 'name,categoryId\n<b>Rex</b>,7\n'],
  ['whose first name is PK', 'PK,xl/workbook.xml\n'],
  ['whose first name is in brackets', '[Rex],7\n'],
  ['in UTF-16', Buffer.from('\uFEFFname\tcategoryId\n', 'utf16le')],
])('A file is CSV %s', async ([, content]) => {
  expect((await readTable(Buffer.from(content))).format).toBe('csv');
});

it.for(['', '\n \n', ',,\n"",""\n', 'sep=;\n'])('A file without a cell is refused: %j', async (content) => {
  await expect(readTable(Buffer.from(content))).rejects.toThrow('The file has no rows.');
});

it('A file of more than 1,000,000 rows is refused', async () => {
  const read = (count: number) => readTable(Buffer.from(`name,categoryId\n${'a,1\n'.repeat(count)}`));
  expect((await read(1_000_000)).rows).toHaveLength(1_000_001);
  await expect(read(1_000_001)).rejects.toThrow('more than 1,000,000 rows. Split it.');
});

it('A file of more than 64 MB is refused', async () => {
  await expect(readTable(new Uint8Array(64 * 2 ** 20 + 1).fill(0x61))).rejects.toThrow(
    'The file has more than 64 MB. Split it.',
  );
});
