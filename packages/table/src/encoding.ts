import { type Encoding, encodings, TableError } from './table.js';

/** The text of a file, and how it was decoded. */
export interface DecodedText {
  text: string;
  encoding: Encoding;
  isGuess: boolean;
  /** Whether U+FFFD in the text stands for bytes that are not of the encoding. */
  hasUndecodable: boolean;
}

/**
 * Decodes a text: by its byte order mark, else as UTF-8 if nearly all of it is, else by a guess.
 * @throws TableError if it is not a text
 */
export async function decode(bytes: Uint8Array, chosen?: Encoding): Promise<DecodedText> {
  const encoding = chosen ?? findEncoding(bytes) ?? (await guess(bytes));
  const isGuess = !chosen && !markOf(bytes) && encoding !== 'utf-8';
  const text = decodeAs(bytes, encoding);
  if (isBinary(text)) {
    throw new TableError('The file is not a table. Save it as an Excel workbook (.xlsx) or as CSV.');
  }
  return { text, encoding, isGuess, hasUndecodable: !isValid(bytes, encoding) };
}

/** A text has few control characters. */
function isBinary(text: string): boolean {
  const controls = text.slice(0, 65_536).match(/[\0-\u0008\u000E-\u0019]/g) ?? [];
  return controls.length * 50 > Math.min(text.length, 65_536);
}

/** The names that the library has for our encodings. */
const libraryNames: Readonly<Record<string, Encoding>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  macroman: 'macintosh',
  big5hkscs: 'big5',
};

/** The library has more than a megabyte, and is rarely needed. */
async function guess(bytes: Uint8Array): Promise<Encoding> {
  const sample = sampleOf(bytes);
  const isJson = bytes[0] === 0x7b;
  if (isJson || isMostlyUtf8(sample)) return 'utf-8';
  const western = (['windows-1252', 'macintosh'] as const).find((encoding) => isWestern(decodeAs(sample, encoding)));
  if (western) return western;
  const { default: jschardet } = await import('jschardet');
  const detectEncodings = [...encodings, ...Object.keys(libraryNames)];
  const name = jschardet.detect(sample, { detectEncodings, minimumThreshold: 0 }).encoding?.toLowerCase() ?? '';
  return libraryNames[name] ?? encodings.find((encoding) => encoding === name) ?? 'windows-1252';
}

/** A few cells of another encoding do not change the others: only they are faults. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const characters = Array.from(new TextDecoder().decode(sample)).filter((character) => character >= '\u0080');
  const undecodable = characters.filter((character) => character === '\uFFFD').length;
  return characters.length >= 2 * undecodable;
}

const westernLetters = /[äöüßÄÖÜéèêëÉÈÊàâÀÂçÇîïôûùœŒñÑáíóúÁÍÓÚãõÃÕåÅæÆøØ]/g;

/**
 * Whether the text has only the accented letters of Western Europe, and more plain letters than them. The library needs more
 * text than a list of names to distinguish é and è from the é and č of Central Europe.
 */
function isWestern(text: string): boolean {
  const [plain, accented] = [/[a-z]/gi, westernLetters].map((letters) => text.match(letters)?.length ?? 0);
  const others = text.replaceAll(westernLetters, '').replaceAll(/(?<=[a-z])’(?=[a-z])|[ -~\s]/gi, '');
  return others === '' && (accented ?? 0) * 2 <= (plain ?? 0);
}

const sampleBytes = 16_384;
const isLineEnd = (byte: number) => byte === 0x0a || byte === 0x0d;

/** The first lines that are not ASCII: the others say nothing about the encoding, and would hide what these say. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  let start = 0;
  while (start < bytes.length && sample.length < sampleBytes) {
    const length = bytes.subarray(start).findIndex(isLineEnd);
    const line = bytes.subarray(start, length === -1 ? bytes.length : start + length + 1);
    if (line.some((byte) => byte >= 0x80)) sample.push(...line.subarray(0, sampleBytes));
    start += line.length;
  }
  return Uint8Array.from(sample);
}

/** The encoding of a text by its byte order mark, or by its bytes. `undefined` if it is neither UTF-8 nor UTF-16. */
export function findEncoding(bytes: Uint8Array): Encoding | undefined {
  return markOf(bytes) ?? guessUtf16(bytes.subarray(0, 1024)) ?? (isValid(bytes, 'utf-8') ? 'utf-8' : undefined);
}

/** The encoding that a byte order mark names. */
function markOf([first, second, third]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** In UTF-16, each delimiter, digit and line end has a NUL, at an even or an odd position. A few letters have the other one. */
function guessUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [even, odd] = [0, 1].map((rest) => head.filter((byte, index) => byte === 0 && index % 2 === rest).length);
  const [fewer, more] = [even ?? 0, odd ?? 0].toSorted((one, other) => one - other);
  if (!more || more < 4 || more * 16 < head.length || (fewer ?? 0) * 4 > more) return undefined;
  return more === odd ? 'utf-16le' : 'utf-16be';
}

const windowsPunctuation = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const punctuationOf = (control: string) => windowsPunctuation[(control.codePointAt(0) ?? 0) - 0x80] ?? control;

/** Decodes a text, without its byte order mark. Bytes that are not of the encoding become U+FFFD. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding !== 'windows-1252') return text;
  // The `TextDecoder` of Node 20 decodes these bytes to control characters.
  return text.replaceAll(/[\u0080-\u009F]/g, (control) => punctuationOf(control));
}

/** Whether all bytes are of the encoding. */
function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
