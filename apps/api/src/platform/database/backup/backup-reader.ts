import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type BackupContent,
  BackupError,
  type BackupFooter,
  backupFormat,
  type BackupHeader,
  type BackupPlan,
  endOfRows,
  explain,
  lastIdOf,
  type TableHeader,
  type TableSummary,
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

  /** @throws BackupError if the file cannot be read, or is not a backup of a known format. */
  static async open(path: string): Promise<{ reader: BackupReader; header: BackupHeader }> {
    const text = createGunzip({ chunkSize });
    // Iterating over `text` reports the error.
    pipeline(createReadStream(path), text, () => undefined);
    const reader = new BackupReader(path, text[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>);
    const header = await reader.readHeader();
    if (header.format === backupFormat) return { reader, header: header as BackupHeader };
    throw new BackupError(
      `${path} has the format ${JSON.stringify(header.format)}, not "${backupFormat}". Use the version of the service that ` +
        'wrote it.',
    );
  }

  private async readHeader(): Promise<Partial<BackupHeader>> {
    const header = await this.readLine().catch((error: unknown) => {
      if (error instanceof BackupError) return undefined;
      throw explain(`Reading ${this.path}`, error);
    });
    if (typeof header === 'object' && header !== null && 'format' in header) return header as Partial<BackupHeader>;
    throw new BackupError(`${this.path} is not a backup of this service, or it is damaged at its beginning.`);
  }

  /** The next line, which is a table or the end of the backup. */
  async readSection(): Promise<TableHeader | BackupFooter> {
    return (await this.readLine()) as TableHeader | BackupFooter;
  }

  async readLine(): Promise<unknown> {
    let end = this.rest.indexOf(newline);
    for (; end === -1; end = this.rest.indexOf(newline)) await this.readMore();
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
    for (; end === -1; end = this.rest.lastIndexOf(newline)) await this.readMore();
    const lines = this.rest.subarray(0, end + 1);
    this.rest = this.rest.subarray(end + 1);
    return lines;
  }

  /** Appends to a line that is not complete. */
  private async readMore(): Promise<void> {
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

/**
 * Reads a whole backup for what it has.
 * @throws an error if it is damaged
 */
export async function readContent(path: string, plan: BackupPlan): Promise<BackupContent> {
  const { reader } = await BackupReader.open(path);
  let rows: number | undefined;
  for (;;) {
    const section = await reader.readSection();
    if ('sequences' in section) {
      await reader.expectEnd();
      if (rows === undefined) throw reader.damaged(`it lacks the table ${plan.mainTable}`);
      return { rows, lastId: lastIdOf(plan, section.sequences) };
    }
    for await (const _ of reader.readRows());
    const summary = (await reader.readLine()) as TableSummary;
    if (section.table === plan.mainTable) rows = summary.rows;
  }
}

/** `lines` begins at the start of a line. */
function findEndOfRows(lines: Buffer): number | undefined {
  if (lines.subarray(0, endOfRows.length).equals(Buffer.from(endOfRows))) return 0;
  const index = lines.indexOf(`\n${endOfRows}`);
  return index === -1 ? undefined : index + 1;
}
