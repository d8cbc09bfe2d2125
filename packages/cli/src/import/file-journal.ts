import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ExplainedError } from '@petstore/contracts';
import type { Journal, JournalEntry, JournalHeader } from '@petstore/import-export/journal.js';

/** More than a line of a journal can have. */
const maxLineBytes = 65_536;
const format = 'petstore import journal 1';

/** A journal in a file of JSON lines. The first line is the header. */
export class FileJournal implements Journal {
  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async open(path: string): Promise<FileJournal> {
    const journal = new FileJournal(path, await open(path, 'a+', 0o600));
    await journal.removeTornLine();
    return journal;
  }

  async open(header: JournalHeader): Promise<JournalHeader> {
    const { size } = await this.handle.stat();
    if (size === 0) {
      await this.write([{ format, ...header }]);
      return header;
    }
    for await (const { text } of this.lines()) return this.parseHeader(text);
    throw this.damaged(1);
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

  /** A power cut or a full disk can leave half a line at the end. It was not written completely, so nothing was sent. */
  private async removeTornLine(): Promise<void> {
    const { size } = await this.handle.stat();
    const length = Math.min(size, maxLineBytes);
    const { buffer } = await this.handle.read(Buffer.alloc(length), 0, length, size - length);
    const end = size - length + buffer.lastIndexOf('\n') + 1;
    if (end < size) await this.handle.truncate(end);
  }

  private async *lines(): AsyncGenerator<{ text: string; number: number }, void> {
    let number = 0;
    const input = createReadStream(this.path);
    for await (const text of createInterface({ input, crlfDelay: Infinity })) yield { text, number: (number += 1) };
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
