import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@petstore/contracts';
import type { ImportRecord } from '@petstore/import-export/import-record.js';
import { fileReason } from '../errors.js';

const format = 'petstore import 1';

/** The record of an import in its file. Without `leftOut`, the animals are being compared, and nothing was sent. */
export type StoredRecord = Omit<ImportRecord, 'leftOut'> & { leftOut?: ImportRecord['leftOut'] | undefined };

export function isStarted(record: StoredRecord): record is ImportRecord {
  return record.leftOut !== undefined;
}

/** The file with the record of an import, and the id of the process that imports. */
export class RecordFile {
  private constructor(readonly path: string) {}

  /** The record is next to a regular file. Standard input and pipes have no name: their record is named after the content. */
  static async of(file: string, isFile: boolean, contentHash: string): Promise<RecordFile> {
    if (isFile) return new RecordFile(`${file}.import`);
    const folder = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'petstore');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new RecordFile(join(folder, `${contentHash.slice(0, 32)}.import`));
  }

  /** @throws ExplainedError if another process imports the file, or the file is another one */
  async read(): Promise<StoredRecord | undefined> {
    let text = await this.readText();
    // Another command may be writing it at this moment.
    for (let waits = 0; waits < 10 && text !== undefined && !text.endsWith('\n'); waits += 1) {
      await sleep(100);
      text = await this.readText();
    }
    return text === undefined ? undefined : this.parse(text);
  }

  private async readText(): Promise<string | undefined> {
    return readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new ExplainedError(`The record ${this.path} cannot be read: ${fileReason(error) ?? error.message}.`);
    });
  }

  /** Creates the record, unless there is one. Returns the one that there is now. */
  async open(record: StoredRecord): Promise<StoredRecord> {
    const isCreated = await this.tryToCreate(this.path, record);
    return isCreated ? record : ((await this.read()) ?? this.open(record));
  }

  /** Replaces the record. No other command may read half of it, and a power cut must not lose it. */
  async replace(record: ImportRecord): Promise<void> {
    const next = `${this.path}-${process.pid}`;
    await rm(next, { force: true });
    await this.tryToCreate(next, record);
    await rename(next, this.path);
    await syncFolder(this.path);
  }

  /** Removes the record of an import that has sent nothing. */
  async release(): Promise<void> {
    const found = await this.read();
    if (found && !isStarted(found)) await this.remove();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  private async tryToCreate(path: string, record: StoredRecord): Promise<boolean> {
    try {
      await writeFile(path, `${JSON.stringify({ format, ...record, pid: process.pid })}\n`, {
        flag: 'wx',
        mode: 0o600,
        flush: true,
      });
      return true;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      // A part of the record.
      await rm(path, { force: true });
      throw new ExplainedError(
        `The record of the import cannot be written in ${dirname(path)}: ${fileReason(error) ?? message}. ` +
          'Set XDG_STATE_HOME to another directory, and read standard input: petstore import - < FILE',
      );
    }
  }

  private parse(text: string): StoredRecord {
    const record = parseRecord(text);
    if (!record)
      throw new ExplainedError(`${this.path} is not the record of an import. Rename it, and import the file again.`);
    if (!isRunning(record.pid)) return record;
    throw new ExplainedError(
      `Another import of this file is running (process ${record.pid}). Wait until it has ended. If that process is no ` +
        `import, delete ${this.path}.`,
    );
  }
}

/** `undefined` for another file, and for damage and the record of another version. */
function parseRecord(text: string): (StoredRecord & { pid: number }) | undefined {
  try {
    const record = JSON.parse(text) as StoredRecord & { format: string; pid: number };
    return record.format === format ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether another process has this id. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  const handle = await open(dirname(path));
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
