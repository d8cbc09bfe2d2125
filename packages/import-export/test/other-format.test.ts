import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { findOtherFormat } from '../src/other-format.js';
import { fileOf } from './support/files.js';

/** The start of a ZIP file with these entries, as programs write them: not compressed, or compressed. */
function zipOf(...entries: string[]): Buffer {
  const parts = entries.map((entry) => {
    const [name = '', content = 'x'] = entry.split('=');
    const header = Buffer.alloc(30);
    header.write('PK\u0003\u0004', 'latin1');
    header.writeUInt16LE(name.length, 26);
    header.writeUInt32LE(content.length, 18);
    return Buffer.concat([header, Buffer.from(name + content)]);
  });
  return Buffer.concat(parts);
}

it.for<[string, string | Uint8Array]>([
  ['an Excel workbook (.xlsx)', zipOf('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml')],
  ['an Excel workbook (.xlsx)', zipOf('xl/_rels/workbook.xml.rels', '[Content_Types].xml')],
  ['an Excel workbook (.xls, or with a password)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['an OpenDocument spreadsheet (.ods)', zipOf('mimetype=application/vnd.oasis.opendocument.spreadsheet')],
  ['a Numbers spreadsheet (.numbers)', zipOf('Index/Document.iwa', 'Index/Tables/DataList.iwa')],
  ['a Numbers spreadsheet (.numbers)', zipOf(`preview.jpg=${'x'.repeat(70_000)}`, 'Index/Document.iwa')],
  ['a Numbers spreadsheet (.numbers)', zipOf('preview-web.jpg', `preview.jpg=${'x'.repeat(70_000)}`)],
  ['an Office document', zipOf(`docProps/thumbnail.jpeg=${'x'.repeat(70_000)}`, 'xl/workbook.xml')],
  ['a text document (.docx or .odt)', zipOf('[Content_Types].xml', 'word/document.xml')],
  ['a ZIP archive (.zip)', zipOf('animals.csv=name,categoryId')],
  ['compressed by gzip (.gz)', gzipSync('name,categoryId\nRex,7\n')],
  ['compressed by bzip2 (.bz2)', 'BZh91AY&SY'],
  ['compressed by xz (.xz)', Buffer.from('fd377a585a0000', 'hex')],
  ['compressed by Zstandard (.zst)', Buffer.from('28b52ffd04', 'hex')],
  ['a PDF', '%PDF-1.7\n'],
  ['a web page', '\uFEFF\n<!DOCTYPE html>\n<table>'],
  ['a web page', '<TABLE border=1><tr><td>name'],
  ['an XML file', '<?xml version="1.0"?>\n<Workbook>'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
])('recognizes %s', async ([name, content]) => {
  expect((await findOtherFormat(fileOf(content)))?.name).toBe(name);
});

it.for<[string, string | Uint8Array]>([
  ['nothing', ''],
  ['CSV', 'name,categoryId\n<b>Rex</b>,7\n'],
  ['CSV whose first name is PK', 'PK,xl/workbook\n'],
  ['NDJSON', '{"name":"PK\u0003\u0004"}'],
  ['UTF-16', Buffer.from('\uFEFFname\tcategoryId\n', 'utf16le')],
  ['bytes of an unknown format', brotliCompressSync('name,categoryId\nRex,7\n')],
])('does not recognize %s', async ([, content]) => {
  expect(await findOtherFormat(fileOf(content))).toBeUndefined();
});
