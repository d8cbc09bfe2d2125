import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  BackupError,
  type BackupFooter,
  backupFormat,
  type BackupHeader,
  endOfRows,
  type TableHeader,
} from './backup-format.js';

const newline = 10;
/** Of the decompressed text. */
const chunkSize = 262_144;

/** Reads a backup from its beginning to its end: the header, then lines and rows in turn. */
export class BackupReader {
  private rest: Buffer = Buffer.alloc(0);

  private constructor(
    readonly path: string,
    private readonly chunks: AsyncIterator<Buffer, undefined>,
  ) {}

  /** @throws BackupError if the file is damaged, or is not a backup. */
  static async open(path: string): Promise<{ reader: BackupReader; header: BackupHeader }> {
    const text = createGunzip({ chunkSize });
    // Iterating over `text` reports the error.
    pipeline(createReadStream(path), text, () => undefined);
    const reader = new BackupReader(path, text[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>);
    const header = (await reader.readLine()) as Partial<BackupHeader>;
    if (header.format !== backupFormat) {
      throw new BackupError(`${path} has the format ${JSON.stringify(header.format)}, not "${backupFormat}".`);
    }
    return { reader, header: header as BackupHeader };
  }

  /** The next line, which is a table or the end of the backup. */
  async readSection(): Promise<TableHeader | BackupFooter> {
    return (await this.readLine()) as TableHeader | BackupFooter;
  }

  async readLine(): Promise<unknown> {
    let end = this.rest.indexOf(newline);
    for (; end === -1; end = this.rest.indexOf(newline)) await this.readChunk();
    const line = this.rest.toString('utf8', 0, end);
    this.rest = this.rest.subarray(end + 1);
    try {
      return JSON.parse(line);
    } catch (cause) {
      throw this.damaged('it contains a line that is not JSON', cause);
    }
  }

  /** Yields the rows of a table, whole lines at a time. */
  async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const lines = await this.takeLines();
      const end = findEndOfRows(lines);
      if (end === undefined) {
        yield lines;
        continue;
      }
      this.rest = Buffer.concat([lines.subarray(end + endOfRows.length), this.rest]);
      if (end > 0) yield lines.subarray(0, end);
      return;
    }
  }

  /** Checks that nothing follows. The checksum of gzip is at the end of the file. */
  async expectEnd(): Promise<void> {
    const { done } = await this.nextChunk();
    if (!done || this.rest.length > 0) throw this.damaged('it continues after its end');
  }

  damaged(problem: string, cause?: unknown): BackupError {
    return new BackupError(`The backup ${this.path} is damaged: ${problem}. Use another backup.`, { cause });
  }

  private async takeLines(): Promise<Buffer> {
    let end = this.rest.lastIndexOf(newline);
    for (; end === -1; end = this.rest.lastIndexOf(newline)) await this.readChunk();
    const lines = this.rest.subarray(0, end + 1);
    this.rest = this.rest.subarray(end + 1);
    return lines;
  }

  private async readChunk(): Promise<void> {
    const { done, value } = await this.nextChunk();
    if (done) throw this.damaged('it is incomplete');
    this.rest = Buffer.concat([this.rest, value]);
  }

  private nextChunk(): Promise<IteratorResult<Buffer, undefined>> {
    return this.chunks.next().catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === undefined ? this.damaged(error.message, error) : error;
    });
  }
}

/** `lines` begins at the start of a line. */
function findEndOfRows(lines: Buffer): number | undefined {
  if (lines.subarray(0, endOfRows.length).equals(Buffer.from(endOfRows))) return 0;
  const index = lines.indexOf(`\n${endOfRows}`);
  return index === -1 ? undefined : index + 1;
}
