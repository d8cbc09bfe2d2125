import type { Encoding } from './encoding.js';
import { guessEncoding } from './guess-encoding.js';
import { readHead, type Source } from './source.js';

/** The encoding of a file. */
export interface DetectedEncoding {
  encoding: Encoding;
  /** Whether the file has no byte order mark and is not UTF-8. A person must see the result. */
  isGuess: boolean;
}

/** The bytes by which an encoding is guessed. */
const sampleBytes = 16_384;

/**
 * Detects the encoding of a file: by its byte order mark, else UTF-8 if nearly all of it is valid UTF-8, else by its letters.
 * NDJSON and files that are not text are UTF-8.
 */
export async function detectEncoding(source: Source): Promise<DetectedEncoding> {
  const head = await readHead(source, 1024);
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', isGuess: false };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', isGuess: false };
  const utf16 = guessUtf16(head);
  if (utf16) return { encoding: utf16, isGuess: true };
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const isJson = /^\s*\{/.test(String.fromCodePoint(...head));
  if (hasMark || isJson || head.includes(0) || (await isUtf8(source))) return { encoding: 'utf-8', isGuess: false };
  const sample = await readSample(source);
  if (isMostlyUtf8(sample)) return { encoding: 'utf-8', isGuess: false };
  return { encoding: guessEncoding(sample), isGuess: true };
}

/** A few cells of another encoding do not change the others. Their lines are invalid. */
function isMostlyUtf8(sample: Uint8Array): boolean {
  const characters = Array.from(new TextDecoder().decode(sample)).filter((character) => character >= '\u0080');
  const undecodable = characters.filter((character) => character === '\uFFFD').length;
  return characters.length >= 5 * undecodable;
}

/** In UTF-16, each delimiter, digit and line end has a NUL, at an even or an odd position. A few letters have the other one. */
function guessUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const nuls = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  const count = Math.max(even, odd);
  if (count < 4 || count * 16 < head.length || Math.min(even, odd) * 4 > count) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

async function isUtf8(source: Source): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of source()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** The first lines that are not ASCII. */
async function readSample(source: Source): Promise<Uint8Array> {
  let [sample, rest] = ['', ''];
  for await (const chunk of source()) {
    // Of the other chunks only the end matters: a line can continue in the next chunk.
    const part = chunk.some((byte) => byte >= 0x80) ? chunk : chunk.subarray(-64);
    const lines = (rest + Array.from(part, (byte) => String.fromCodePoint(byte)).join('')).split(/[\r\n]/);
    rest = lines.pop()?.slice(-sampleBytes) ?? '';
    for (const line of lines) if (/[\u0080-\u00FF]/.test(line)) sample += `${line}\n`;
    if (sample.length >= sampleBytes) break;
  }
  return Uint8Array.from((sample + rest).slice(0, sampleBytes), (character) => character.codePointAt(0) ?? 0);
}
