import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ExplainedError } from '@petstore/contracts';
import { syncDirectory } from '@petstore/embedded-postgres';

export const backupFormat = 'petstore backup 1';

/**
 * The beginning of a backup, which is a gzip file of this text:
 *
 *   the header as JSON, NUL
 *   the rows as PostgreSQL's COPY writes them, NUL    (for each table)
 *   the SHA-256 of all text before it, in hexadecimal digits
 *
 * No text in PostgreSQL has a NUL.
 */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The version of the service that wrote the backup. */
  readonly version: string;
  /** The schema version: the names of the applied migrations. */
  readonly migrations: readonly string[];
  /** How many animals the backup has. */
  readonly animals: number;
  /** In the order of a restore. */
  readonly tables: readonly TableHeader[];
  /** The last value of each used sequence. Text, because it can exceed 2^53. */
  readonly sequences: Readonly<Record<string, string>>;
}

export interface TableHeader {
  readonly name: string;
  readonly columns: readonly string[];
}

export const insufficientPrivilege = '42501';

/** Runs an attempt, and adds its name to an error of the file system or of PostgreSQL. */
export async function explained<Result>(attempt: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ExplainedError) throw error;
    const { code, message } = error as { code?: string; message: string };
    const advice = code === insufficientPrivilege ? ' Set DATABASE_URL to a URL of the owner of the tables.' : '';
    throw new ExplainedError(`${attempt} failed: ${message}.${advice}`, { cause: error });
  }
}

/** @throws ExplainedError if anything is at the path, also a symbolic link to nothing */
export async function rejectExisting(path: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw new ExplainedError(`${path} already exists, and was not changed. Name a new file.`);
}

/** Writes a backup that only its owner can read. The file appears when it is complete and on disk. */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  readRows: (table: TableHeader) => AsyncIterable<Buffer>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const remove = () => rmSync(temporary, { force: true });
  // The process can end while the file is written.
  process.once('exit', remove);
  try {
    const file = await open(temporary, 'wx', 0o600);
    const text = withChecksum(toText(header, readRows));
    await pipeline(text, createGzip(), file.createWriteStream({ flush: true }));
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function* toText(header: BackupHeader, readRows: (table: TableHeader) => AsyncIterable<Buffer>) {
  yield `${JSON.stringify(header)}\n\0`;
  for (const table of header.tables) {
    yield* readRows(table);
    yield '\0';
  }
}

async function* withChecksum(text: AsyncIterable<Buffer | string>) {
  const hash = createHash('sha256');
  for await (const chunk of text) {
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest('hex');
}

/** @throws ExplainedError if the file cannot be read, or is not a backup of this format */
export async function readHeader(path: string): Promise<BackupHeader> {
  const pieces = readPieces(path);
  try {
    return await parseHeader(path, pieces);
  } finally {
    await pieces.return(undefined);
  }
}

const checksumLength = 64;

/** @throws ExplainedError if the file is incomplete or was changed */
export async function verifyChecksum(path: string): Promise<void> {
  const hash = createHash('sha256');
  let end = Buffer.alloc(0);
  try {
    for await (const chunk of readText(path)) {
      const text = Buffer.concat([end, chunk]);
      hash.update(text.subarray(0, -checksumLength));
      end = text.subarray(-checksumLength);
    }
    if (end.toString() === hash.digest('hex')) return;
  } catch (error) {
    rethrowFileError(error);
  }
  throw new ExplainedError(`The backup ${path} is damaged: its checksum is wrong. Use another backup.`);
}

/** gzip has a checksum too, and detects an early end: these errors are not of the file system. */
function rethrowFileError(error: unknown): void {
  if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
}

/** Yields each table with its rows, which must be read before the next table. */
export async function* readTables(path: string): AsyncGenerator<{ table: TableHeader; rows: AsyncIterable<Buffer> }> {
  const pieces = readPieces(path);
  try {
    const { tables } = await parseHeader(path, pieces);
    for (const table of tables) yield { table, rows: untilNul(pieces) };
  } finally {
    await pieces.return(undefined);
  }
}

/** The size of a piece of decompressed text. */
const chunkSize = 262_144;

function readText(path: string): AsyncIterable<Buffer> {
  const text = createGunzip({ chunkSize });
  // Iterating over `text` reports the error.
  connect(createReadStream(path), text, () => undefined);
  return text as AsyncIterable<Buffer>;
}

type Piece = Buffer | undefined;

/** Yields the text, and `undefined` in place of each NUL. */
async function* readPieces(path: string): AsyncGenerator<Piece, undefined> {
  for await (const chunk of readText(path)) {
    let begin = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, begin)) {
      yield chunk.subarray(begin, end);
      yield undefined;
      begin = end + 1;
    }
    yield chunk.subarray(begin);
  }
}

async function* untilNul(pieces: AsyncIterator<Piece>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value } = (await pieces.next()) as { value: Piece };
    if (value === undefined) return;
    yield value;
  }
}

/** A file with a longer header is not a backup. */
const maxHeaderBytes = 1_000_000;

async function parseHeader(path: string, pieces: AsyncIterator<Piece>): Promise<BackupHeader> {
  let text = Buffer.alloc(0);
  try {
    for await (const piece of untilNul(pieces)) {
      text = Buffer.concat([text, piece]);
      if (text.length > maxHeaderBytes) break;
    }
    const header = JSON.parse(text.toString()) as BackupHeader;
    if (header.format === backupFormat) return header;
  } catch (error) {
    rethrowFileError(error);
  }
  throw new ExplainedError(
    `${path} is not a backup in the format "${backupFormat}", or it is damaged. Use another backup, or the version of the ` +
      'service that wrote it.',
  );
}
