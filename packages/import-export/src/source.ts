/** Opens a file. It is read several times: to detect its encoding, to check every line, then to create the animals. */
export type Source = () => AsyncIterable<Uint8Array>;

const chunkBytes = 65_536;

/** Reads a file of a browser. Not `blob.stream()`, which Safari cannot iterate. */
export function blobSource(blob: Blob): Source {
  return async function* readBlob() {
    for (let start = 0; start < blob.size; start += chunkBytes) {
      yield new Uint8Array(await blob.slice(start, start + chunkBytes).arrayBuffer());
    }
  };
}

/** The encodings that spreadsheets write, by their labels in the Encoding Standard. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * Detects the encoding of a file: by its byte order mark, else UTF-8 if all of it is valid UTF-8, else Windows-1252. NDJSON
 * and files that are not text are UTF-8.
 */
export async function detectEncoding(source: Source): Promise<Encoding> {
  const head = await readHead(source);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const isJson = /^\s*\{/.test(String.fromCodePoint(...head));
  if (hasMark || isJson || head.includes(0) || (await isUtf8(source))) return 'utf-8';
  return 'windows-1252';
}

async function readHead(source: Source): Promise<number[]> {
  const head: number[] = [];
  for await (const chunk of source()) {
    head.push(...chunk.subarray(0, 1024));
    if (head.length >= 1024) break;
  }
  return head;
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

/** The characters of the bytes 0x80 to 0x9F. The `TextDecoder` of Node 20 decodes them to control characters. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The file in UTF-8. */
export function toUtf8(source: Source, encoding: Encoding): Source {
  if (encoding === 'utf-8') return source;
  return async function* encoded() {
    const encoder = new TextEncoder();
    const decode = encoding === 'windows-1252' ? decodeWindows1252 : utf16Decoder(encoding);
    for await (const chunk of source()) yield encoder.encode(decode(chunk));
    yield encoder.encode(decode(undefined));
  };
}

function decodeWindows1252(chunk: Uint8Array = new Uint8Array()): string {
  const characters = Array.from(chunk, (byte) =>
    byte >= 0x80 && byte < 0xa0 ? (windows1252[byte - 0x80] ?? '') : String.fromCodePoint(byte),
  );
  return characters.join('');
}

/** Decodes chunk by chunk, and without a chunk the end. */
function utf16Decoder(encoding: 'utf-16le' | 'utf-16be'): (chunk: Uint8Array | undefined) => string {
  const decoder = new TextDecoder(encoding);
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}
