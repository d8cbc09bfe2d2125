import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import { inHome } from '../config-file.js';
import { UsageError } from '../errors.js';

const blockBytes = 65_536;
const format = 'petstore import journal 1';
/** How a journal of any version begins. */
const firstBytes = '{"format":"petstore import journal';
/** Written when every line of the file has a result. */
interface FinishedEntry {
  type: 'finished';
  at: number;
}

/** A journal in a file of JSON lines. The first line is the header. */
export class FileJournal implements Journal {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws UsageError for a directory, and for a device or pipe, which the command could read without end */
  static async rejectOtherKind(path: string): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    if (!found || found.isFile()) return;
    const kind = found.isDirectory() ? 'a directory' : 'a device or a pipe';
    throw new UsageError(`The journal ${path} is ${kind}. Choose a file with --journal.`);
  }

  /** Reads a journal without a lock. `undefined` if it does not exist, or another process writes it. */
  static async peek(path: string): Promise<{ header: JournalHeader; finishedAt: Date | undefined } | undefined> {
    const handle = await open(path).catch(() => undefined);
    if (!handle) return undefined;
    const journal = new FileJournal(path, handle);
    try {
      const header = await journal.header();
      return header && { header, finishedAt: await journal.finishedAt() };
    } catch {
      return undefined;
    } finally {
      await journal.close();
    }
  }

  static async open(path: string): Promise<FileJournal> {
    const journal = new FileJournal(path, await open(path, 'a+', 0o600));
    try {
      await journal.rejectOtherFile();
      await journal.removeTornLine();
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  async header(): Promise<JournalHeader | undefined> {
    for await (const { text } of this.lines()) {
      const header = this.parse(text, 1) as JournalHeader & { format: string };
      if (header.format === format) return header;
      throw new ExplainedError(`${this.path} is not a journal of this version of petstore. Use another file.`);
    }
    return undefined;
  }

  async open(header: JournalHeader): Promise<JournalHeader> {
    const stored = await this.header();
    if (!stored) await this.write([{ format, ...header }]);
    return stored ?? header;
  }

  async *entries(): AsyncGenerator<JournalEntry, void> {
    for await (const { text, number } of this.lines()) {
      if (number === 1) continue;
      const entry = this.parse(text, number) as JournalEntry | FinishedEntry;
      if (entry.type !== 'finished') yield entry;
    }
  }

  /** When the import was finished. `undefined` if it is not. */
  async finishedAt(): Promise<Date | undefined> {
    const { size } = await this.handle.stat();
    const start = Math.max(0, size - 1024);
    const { buffer } = await this.handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const [, at] = /\n\{"type":"finished","at":(\d+)\}\n$/.exec(buffer.toString()) ?? [];
    return at === undefined ? undefined : new Date(Number(at));
  }

  async finish(): Promise<void> {
    await this.write([{ type: 'finished', at: Date.now() } satisfies FinishedEntry]);
  }

  /** Forgets the import. */
  async clear(): Promise<void> {
    await this.handle.truncate(0);
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    return this.write(entries);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async write(lines: readonly object[]): Promise<void> {
    const digits = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    const text = lines.map((line) => `${JSON.stringify(line, digits)}\n`).join('');
    await this.handle.appendFile(text);
    await this.handle.datasync();
  }

  /** @throws UsageError if `--journal` names another file, whose last line would be lost */
  private async rejectOtherFile(): Promise<void> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(firstBytes.length), 0, firstBytes.length, 0);
    // A new journal is empty. A full disk can leave a part of the first line.
    if (firstBytes.startsWith(buffer.toString('latin1', 0, bytesRead))) return;
    throw new UsageError(`${this.path} is not a journal. Choose another file with --journal.`);
  }

  /** A power cut or a full disk can leave half a line at the end. It was not written completely, so nothing was sent. */
  private async removeTornLine(): Promise<void> {
    const { size } = await this.handle.stat();
    let end = size;
    let newline = -1;
    while (end > 0 && newline === -1) {
      const length = Math.min(end, blockBytes);
      end -= length;
      const { buffer } = await this.handle.read(Buffer.alloc(length), 0, length, end);
      newline = buffer.lastIndexOf('\n');
    }
    if (end + newline + 1 < size) await this.handle.truncate(end + newline + 1);
  }

  private async *lines(): AsyncGenerator<{ text: string; number: number }, void> {
    let number = 0;
    // Kept open: `close` closes it.
    const lines = this.handle.readLines({ start: 0, autoClose: false });
    for await (const text of lines) yield { text, number: (number += 1) };
  }

  private parse(text: string, number: number): unknown {
    try {
      return JSON.parse(text, (name, value: unknown) => (name === 'petId' ? BigInt(value as string) : value));
    } catch {
      throw new ExplainedError(`The journal ${this.path} is damaged at line ${number}. Restore it from a copy.`);
    }
  }
}

/**
 * The journal of standard input and pipes is named after the content, because they have no name to find it by.
 * @throws UsageError without a directory for it
 */
export async function journalPathOfContent(contentHash: string): Promise<string> {
  const stateFolder = process.env['XDG_STATE_HOME'] || inHome('.local', 'state');
  if (!stateFolder) throw new UsageError('There is no home directory for the journal. Choose a file with --journal.');
  const folder = join(stateFolder, 'petstore');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `import-${contentHash.slice(0, 32)}.journal`);
}
