/** Opens a file. It is read twice: to check every line, then to create the animals. */
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
