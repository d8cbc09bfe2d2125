import type { CsvLine } from '@petstore/contracts';
import { type Encoding, toUtf8 } from './encoding.js';
import { readHead, type Source } from './source.js';

/** More than 65,536 bytes, a NUL character, or bytes that are not text in the encoding. */
export type LineFault = 'longLine' | 'nul' | 'undecodable';

/** A line of a file. With a fault, its text is empty. */
export interface Line extends CsvLine {
  /** Why the text cannot be used. */
  fault?: LineFault;
}

/** The maximum size of a line in bytes, and of a CSV record. The service accepts bodies of this size by default. */
export const maxRecordLength = 65_536;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Splits chunks of bytes into lines of valid UTF-8. It holds at most one line in memory. */
class LineSplitter {
  // With `ignoreBOM`, the decoder keeps a byte order mark, which only the first line may have.
  private readonly decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private parts: Uint8Array[] = [];
  private length = 0;
  private number = 1;

  /** @param hasReplacements whether U+FFFD in the text stands for bytes that could not be decoded */
  constructor(
    private readonly lineEnd: number,
    private readonly hasReplacements: boolean,
  ) {}

  *push(chunk: Uint8Array): Generator<Line, void> {
    let start = 0;
    for (let end = chunk.indexOf(this.lineEnd); end !== -1; end = chunk.indexOf(this.lineEnd, start)) {
      this.add(chunk.subarray(start, end));
      yield this.takeLine();
      start = end + 1;
    }
    this.add(chunk.subarray(start));
  }

  /** The last line, if it has no line end. */
  *end(): Generator<Line, void> {
    if (this.length > 0) yield this.takeLine();
  }

  private add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > maxRecordLength) this.parts = [];
    // Copied, because a source may reuse the memory of its chunks.
    else if (part.length > 0) this.parts.push(part.slice());
  }

  private takeLine(): Line {
    const line = { number: this.number, ...this.decode() };
    this.parts = [];
    this.length = 0;
    this.number += 1;
    return line;
  }

  private decode(): Omit<Line, 'number'> {
    if (this.length > maxRecordLength) return { text: '', fault: 'longLine' };
    try {
      const text = this.decoder.decode(joined(this.parts, this.length));
      if (text.includes('\uFFFD') && this.hasReplacements) return { text: '', fault: 'undecodable' };
      if (text.includes('\0')) return { text: '', fault: 'nul' };
      return { text: this.number === 1 ? text.replace(/^\uFEFF/, '') : text };
    } catch {
      return { text: '', fault: 'undecodable' };
    }
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const all = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** The lines of a file. They end with LF or CRLF, or with CR, as "CSV (Macintosh)" of Excel, which has LF in cells. */
export async function* readLines(source: Source, encoding: Encoding): AsyncGenerator<Line, void> {
  const chunks = toUtf8(source, encoding);
  const head = await readHead(chunks, maxRecordLength);
  const splitter = new LineSplitter(endsWithCr(head) ? carriageReturn : lineFeed, encoding !== 'utf-8');
  for await (const chunk of chunks()) yield* splitter.push(chunk);
  yield* splitter.end();
}

function endsWithCr(head: Uint8Array): boolean {
  const countOf = (end: number) => head.filter((byte) => byte === end).length;
  const hasCrLf = head.some((byte, index) => byte === carriageReturn && head[index + 1] === lineFeed);
  return !hasCrLf && countOf(carriageReturn) > countOf(lineFeed);
}

/** Whether a line has only white space. */
export function isBlank({ text, fault }: Line): boolean {
  return fault === undefined && text.trim() === '';
}
