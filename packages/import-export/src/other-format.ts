import { readHead, type Source } from './source.js';

/** A file that is often taken for CSV. */
export interface OtherFormat {
  /** Such as `an Excel workbook (.xlsx)`. */
  name: string;
  /** What a person can do: save a spreadsheet as CSV, unpack an archive, ask for another form of a document. */
  kind: 'spreadsheet' | 'archive' | 'document';
}

/** The beginnings of files, as Latin-1. The more special one of two is first. */
const formats: readonly (readonly [start: RegExp, name: string, kind: OtherFormat['kind']])[] = [
  [
    /^PK\u0003\u0004[^]*xl\/(workbook|worksheets|_rels|theme|styles|sharedS)/,
    'an Excel workbook (.xlsx)',
    'spreadsheet',
  ],
  [/^PK\u0003\u0004[^]*opendocument\.spreadsheet/, 'an OpenDocument spreadsheet (.ods)', 'spreadsheet'],
  // A picture of the first page may fill the bytes that are read.
  [/^PK\u0003\u0004[^]*(Index(\/|\.zip)|preview(-\w+)?\.jpg)/, 'a Numbers spreadsheet (.numbers)', 'spreadsheet'],
  [/^PK\u0003\u0004[^]*(word\/|opendocument\.text)/, 'a text document (.docx or .odt)', 'document'],
  [/^PK\u0003\u0004[^]*(\[Content_Types\]\.xml|docProps\/)/, 'an Office document', 'spreadsheet'],
  [/^PK(\u0003\u0004|\u0005\u0006)/, 'a ZIP archive (.zip)', 'archive'],
  [/^\u00D0\u00CF\u0011\u00E0/, 'an Excel workbook (.xls, or with a password)', 'spreadsheet'],
  [/^\u001F\u008B/, 'compressed by gzip (.gz)', 'archive'],
  [/^BZh[1-9]1AY&SY/, 'compressed by bzip2 (.bz2)', 'archive'],
  [/^\u00FD7zXZ/, 'compressed by xz (.xz)', 'archive'],
  [/^\u0028\u00B5\u002F\u00FD/, 'compressed by Zstandard (.zst)', 'archive'],
  [/^7z\u00BC\u00AF/, 'a 7-Zip archive (.7z)', 'archive'],
  [/^Rar!/, 'a RAR archive (.rar)', 'archive'],
  [/^%PDF-/, 'a PDF', 'document'],
  [/^(\u00EF\u00BB\u00BF)?\s*<(!doctype html|html|table|head|body|meta)/i, 'a web page', 'spreadsheet'],
  [/^(\u00EF\u00BB\u00BF)?\s*<\?xml/, 'an XML file', 'spreadsheet'],
  [/^\{\\rtf/, 'a text document (.rtf)', 'document'],
  [/^(\u0089PNG|\u00FF\u00D8\u00FF|GIF8|RIFF....WEBP|....ftyphe)/s, 'a picture', 'document'],
  [/^SQLite format 3/, 'an SQLite database', 'document'],
  [/^PAR1/, 'a Parquet file', 'document'],
];

const headBytes = 65_536;

/** Recognizes a file that is not CSV or NDJSON by its first bytes. */
export async function findOtherFormat(source: Source): Promise<OtherFormat | undefined> {
  const head = Array.from(await readHead(source, headBytes), (byte) => String.fromCodePoint(byte)).join('');
  const found = formats.find(([start]) => start.test(head));
  return found && { name: found[1], kind: found[2] };
}
