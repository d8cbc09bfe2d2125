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

/** The first bytes of a file. */
export async function readHead(source: Source, length: number): Promise<Uint8Array> {
  const head = new Uint8Array(length);
  let end = 0;
  for await (const chunk of source()) {
    const part = chunk.subarray(0, length - end);
    head.set(part, end);
    end += part.length;
    if (end === length) break;
  }
  return head.subarray(0, end);
}
