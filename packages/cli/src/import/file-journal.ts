import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ExplainedError } from '@petstore/contracts';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';
import { UsageError } from '../errors.js';

const blockBytes = 65_536;
const format = 'petstore import journal 1';
/** How a journal of any version begins. */
const firstBytes = '{"format":"petstore import journal';
/** The first line can name millions of skipped lines. */
const maxHeaderBytes = 67_108_864;

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

  /** Reads the header without a lock. `undefined` if there is none, or another process writes it. */
  static async readHeader(path: string): Promise<JournalHeader | undefined> {
    const handle = await open(path).catch(() => undefined);
    if (!handle) return undefined;
    const journal = new FileJournal(path, handle);
    const header = await journal.header().catch(() => undefined);
    await journal.close();
    return header;
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
    for await (const { text } of this.lines(maxHeaderBytes)) return this.parseHeader(text);
    return undefined;
  }

  async open(header: JournalHeader): Promise<JournalHeader> {
    const stored = await this.header();
    if (!stored) await this.write([{ format, ...header }]);
    return stored ?? header;
  }

  async *entries(): AsyncGenerator<JournalEntry, void> {
    for await (const { text, number } of this.lines()) if (number > 1) yield this.parseEntry(text, number);
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    return this.write(entries);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  private async write(lines: readonly object[]): Promise<void> {
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

  private async *lines(end = Infinity): AsyncGenerator<{ text: string; number: number }, void> {
    let number = 0;
    // Kept open: `close` closes it.
    const lines = this.handle.readLines({ start: 0, end, autoClose: false });
    for await (const text of lines) yield { text, number: (number += 1) };
  }

  private parseHeader(text: string): JournalHeader {
    const header = this.parse(text, 1) as JournalHeader & { format: string };
    if (header.format === format) return header;
    throw new ExplainedError(`${this.path} is not a journal of this version of petstore. Use another file.`);
  }

  private parseEntry(text: string, number: number): JournalEntry {
    const { petId, ...entry } = this.parse(text, number) as { petId?: string };
    return (petId === undefined ? entry : { ...entry, petId: BigInt(petId) }) as JournalEntry;
  }

  private parse(text: string, number: number): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.damaged(number);
    }
  }

  private damaged(number: number): ExplainedError {
    return new ExplainedError(`The journal ${this.path} is damaged at line ${number}. Restore it from a copy.`);
  }
}

function digits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The journal of standard input and pipes is named after the content, because they have no name to find it by. */
export async function journalPathOfContent(contentHash: string): Promise<string> {
  const stateFolder = process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  const folder = join(stateFolder, 'petstore');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `import-${contentHash.slice(0, 32)}.journal`);
}
