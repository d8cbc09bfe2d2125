import { createReadStream } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
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
 *
 * No text in PostgreSQL has a NUL. The checksum of gzip detects a changed or incomplete file.
 */
export interface BackupHeader {
  readonly format: typeof backupFormat;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The version of the service that wrote the backup. */
  readonly version: string;
  /** The schema version: the names of the applied migrations. */
  readonly migrations: readonly string[];
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

interface BackupPaths {
  path: string;
  /** The file until it is complete and on disk. Replaces the one that a killed backup left. */
  unfinished: string;
}

/** Writes a backup that only its owner can read. */
export async function writeBackupFile(
  { path, unfinished }: BackupPaths,
  header: BackupHeader,
  readRows: (table: TableHeader) => AsyncIterable<Buffer>,
): Promise<void> {
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await pipeline(toText(header, readRows), createGzip(), file.createWriteStream({ flush: true }));
    await rename(unfinished, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    // The disk may be full.
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function* toText(header: BackupHeader, readRows: (table: TableHeader) => AsyncIterable<Buffer>) {
  yield `${JSON.stringify(header)}\n\0`;
  for (const table of header.tables) {
    yield* readRows(table);
    yield '\0';
  }
}

/** A table and its rows, which must be read before the next table. */
interface TableRows {
  table: TableHeader;
  rows: AsyncIterable<Buffer>;
}

/**
 * Calls `use` with the header and the tables of a backup. The tables end with an error if the file was changed or is incomplete.
 * @throws ExplainedError
 */
export async function readBackup<Result>(
  path: string,
  use: (header: BackupHeader, tables: AsyncIterable<TableRows>) => Promise<Result>,
): Promise<Result> {
  const pieces = readPieces(path);
  try {
    const header = await parseHeader(path, pieces);
    return await use(header, readTables(path, header, pieces));
  } finally {
    await pieces.return(undefined);
  }
}

async function* readTables(path: string, { tables }: BackupHeader, pieces: Pieces): AsyncGenerator<TableRows> {
  for (const table of tables) yield { table, rows: untilNul(path, pieces) };
  // gzip's checksum is at the end.
  if ((await pieces.next()).done) return;
  throw new ExplainedError(
    `A development version of Petstore wrote the backup ${path}: more text follows its tables. Restore it with that version. ` +
      'Nothing was changed.',
  );
}

/** Parts of the text, and `undefined` in place of each NUL. */
type Pieces = AsyncGenerator<Buffer | undefined, undefined>;

/** The size of a piece of decompressed text. */
const chunkSize = 262_144;

async function* readPieces(path: string): Pieces {
  const text = createGunzip({ chunkSize });
  // Iterating over `text` reports the error.
  connect(createReadStream(path), text, () => undefined);
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let begin = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, begin)) {
        yield chunk.subarray(begin, end);
        yield undefined;
        begin = end + 1;
      }
      if (begin < chunk.length) yield chunk.subarray(begin);
    }
  } catch (error) {
    // Errors of gzip are not of the file system.
    throw (error as NodeJS.ErrnoException).syscall === undefined ? new DamagedBackup(path) : error;
  }
}

async function* untilNul(path: string, pieces: Pieces): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) throw new DamagedBackup(path);
    if (value === undefined) return;
    yield value;
  }
}

/** A file with a longer header is not a backup. */
const maxHeaderBytes = 1_000_000;

async function parseHeader(path: string, pieces: Pieces): Promise<BackupHeader> {
  let text = Buffer.alloc(0);
  for await (const piece of untilNul(path, pieces)) {
    text = Buffer.concat([text, piece]);
    if (text.length > maxHeaderBytes) throw new DamagedBackup(path);
  }
  try {
    const header = JSON.parse(text.toString()) as BackupHeader;
    if (header.format === backupFormat) return header;
  } catch {
    // Not JSON.
  }
  throw new DamagedBackup(path);
}

class DamagedBackup extends ExplainedError {
  constructor(path: string) {
    super(
      `${path} is not a backup in the format "${backupFormat}", or it is damaged. Use another backup, or the version of the ` +
        'service that wrote it.',
    );
  }
}
