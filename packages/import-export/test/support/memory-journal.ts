import type { Journal, JournalEntry, JournalHeader } from '../../src/journal.js';

/** A journal whose entries a test can read and change. */
export class MemoryJournal implements Journal {
  storedHeader: JournalHeader | undefined;
  stored: JournalEntry[] = [];

  async header(): Promise<JournalHeader | undefined> {
    return this.storedHeader;
  }

  async open(header: JournalHeader): Promise<JournalHeader> {
    return (this.storedHeader ??= header);
  }

  async *entries(): AsyncGenerator<JournalEntry, void> {
    yield* this.stored.slice();
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    this.stored.push(...entries);
  }
}
