import { TableError } from './table.js';

const saveAsExcel = 'Open it in your spreadsheet program, and save it as an Excel workbook (.xlsx)';

/** The beginnings of other files that people choose, as Latin-1. The end of a ZIP file lists its entries. */
const formats: readonly (readonly [start: RegExp, name: string, advice: string])[] = [
  [
    /^\u00D0\u00CF\u0011\u00E0/,
    'an Excel workbook with a password, or an old one (.xls)',
    `${saveAsExcel} without a password.`,
  ],
  [/^PK\u0003\u0004[^]*opendocument\.spreadsheet/, 'an OpenDocument spreadsheet (.ods)', `${saveAsExcel}.`],
  [/^PK\u0003\u0004[^]*(Index(\/|\.zip)|preview(-\w+)?\.jpg)/, 'a Numbers spreadsheet (.numbers)', `${saveAsExcel}.`],
  [/^PK[\u0003\u0005]/, 'a ZIP archive or a document', 'Choose an Excel workbook (.xlsx) or a CSV file.'],
  [/^%PDF-/, 'a PDF', 'Ask for the list as an Excel or CSV file.'],
  [/^(\u00EF\u00BB\u00BF)?\s*<(!doctype html|html|table|head|body|meta)/i, 'a web page', `${saveAsExcel}.`],
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
  if (/^PK\u0003\u0004[^]*xl\//.test(ends)) return true;
  const [, name, advice] = formats.find(([start]) => start.test(ends)) ?? [];
  if (name) throw new TableError(`The file is ${name}. ${advice}`);
  return false;
}
