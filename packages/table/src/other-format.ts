import { TableError } from './table.js';

const advice = {
  spreadsheet: 'Open it in your spreadsheet program, and save it as an Excel workbook (.xlsx).',
  password: 'Open it in your spreadsheet program, and save it as an Excel workbook (.xlsx) without a password.',
  archive: 'Unpack it, and choose the file in it.',
  document: 'Ask for the list as an Excel or CSV file.',
  json: 'Save it as NDJSON: one object per line, without brackets around them.',
};

/** The beginnings of files, as Latin-1. The more special one of two is first. The end of a ZIP file lists its entries. */
const formats: readonly (readonly [start: RegExp, name: string, advice: keyof typeof advice])[] = [
  [/^PK\u0003\u0004[^]*xl\/workbook\.bin/, 'an Excel binary workbook (.xlsb)', 'spreadsheet'],
  [/^PK\u0003\u0004[^]*opendocument\.spreadsheet/, 'an OpenDocument spreadsheet (.ods)', 'spreadsheet'],
  [/^PK\u0003\u0004[^]*(Index(\/|\.zip)|preview(-\w+)?\.jpg)/, 'a Numbers spreadsheet (.numbers)', 'spreadsheet'],
  [/^PK\u0003\u0004[^]*(word\/|opendocument\.text)/, 'a text document (.docx or .odt)', 'document'],
  [/^PK\u0003\u0004[^]*(\[Content_Types\]\.xml|docProps\/)/, 'an Office document', 'spreadsheet'],
  [/^PK(\u0003\u0004|\u0005\u0006)/, 'a ZIP archive (.zip)', 'archive'],
  [/^\u00D0\u00CF\u0011\u00E0/, 'an Excel workbook with a password, or an old one (.xls)', 'password'],
  [/^(\u001F\u008B|BZh[1-9]1AY&SY|\u00FD7zXZ|\u0028\u00B5\u002F\u00FD|7z\u00BC\u00AF|Rar!)/, 'compressed', 'archive'],
  [/^%PDF-/, 'a PDF', 'document'],
  [/^(\u00EF\u00BB\u00BF)?\s*<(!doctype html|html|table|head|body|meta)/i, 'a web page', 'spreadsheet'],
  [/^(\u00EF\u00BB\u00BF)?\s*<\?xml/, 'an XML file', 'spreadsheet'],
  [/^\{\\rtf/, 'a text document (.rtf)', 'document'],
  [/^(\u0089PNG|\u00FF\u00D8\u00FF|GIF8|RIFF....WEBP|....ftyphe)/s, 'a picture', 'document'],
  [/^(\u00EF\u00BB\u00BF)?\s*\[\s*(\{|\])/, 'a JSON array', 'json'],
  [/^(\u00EF\u00BB\u00BF)?\s*\{\s*[\r\n]/, 'JSON with line breaks', 'json'],
];

const partBytes = 65_536;

/**
 * Whether the bytes are an Excel workbook. If not, they may be a text.
 * @throws TableError if they are known not to be a table
 */
export function isWorkbook(bytes: Uint8Array): boolean {
  const parts = [bytes.subarray(0, partBytes), bytes.subarray(partBytes).subarray(-partBytes)];
  // Not by the decoder of Windows-1252, which changes some characters.
  const ends = parts.flatMap((part) => Array.from(part, (byte) => String.fromCodePoint(byte))).join('');
  // Half a workbook has no list of its entries.
  if (/^PK\u0003\u0004(?![^]*xl\/workbook\.bin)[^]*xl\//.test(ends)) return true;
  const [, name, kind] = formats.find(([start]) => start.test(ends)) ?? [];
  if (kind) throw new TableError(`The file is ${name}. ${advice[kind]}`);
  return false;
}
