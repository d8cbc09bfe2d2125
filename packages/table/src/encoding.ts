import { TableError } from './table.js';

/** The text of a file, and how it was decoded. */
export interface DecodedText {
  text: string;
  encoding: string;
  isGuess: boolean;
  /** Whether U+FFFD in the text stands for bytes that are not of the encoding. */
  hasUndecodable: boolean;
}

/**
 * Decodes a text: UTF-8 or UTF-16 by its byte order mark, else UTF-8, else Windows-1252, which is a guess.
 * @param chosen the label of an encoding in the Encoding Standard
 * @throws TableError if it is not a text
 */
export function decode(bytes: Uint8Array, chosen?: string): DecodedText {
  const encoding = chosen ?? markOf(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  const text = decodeAs(bytes, encoding);
  if (isBinary(text)) {
    throw new TableError('The file is not a table. Save it as an Excel workbook (.xlsx) or as CSV.');
  }
  const isGuess = chosen === undefined && encoding === 'windows-1252';
  return { text, encoding, isGuess, hasUndecodable: !isValid(bytes, encoding) };
}

/** A text has few control characters. */
function isBinary(text: string): boolean {
  const controls = text.slice(0, 65_536).match(/[\0-\u0008\u000E-\u0019]/g) ?? [];
  return controls.length * 50 > Math.min(text.length, 65_536);
}

/** The encoding that a byte order mark names. */
function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** A few cells of another encoding, such as one that was cut within a character, do not change the others. */
function isUtf8(bytes: Uint8Array): boolean {
  if (isValid(bytes, 'utf-8')) return true;
  const special = new TextDecoder().decode(bytes).replaceAll(/[\0-\u007F]+/g, '');
  const undecodable = special.split('\uFFFD').length - 1;
  return special.length >= 2 * undecodable;
}

const windowsPunctuation = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const punctuationOf = (control: string) => windowsPunctuation[(control.codePointAt(0) ?? 0) - 0x80] ?? control;

/** Decodes a text, without its byte order mark. Bytes that are not of the encoding become U+FFFD. */
function decodeAs(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding !== 'windows-1252') return text;
  // The `TextDecoder` of Node 20 decodes these bytes to control characters.
  return text.replaceAll(/[\u0080-\u009F]/g, punctuationOf);
}

/** Whether all bytes are of the encoding. */
function isValid(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
