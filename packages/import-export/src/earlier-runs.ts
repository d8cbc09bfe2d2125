import type { Journal, JournalEntry, SendingEntry } from './journal.js';
import { LineSet } from './line-set.js';

/** What earlier runs of an import have done. */
export class EarlierRuns {
  /** The lines with a result. */
  readonly finished = new LineSet();
  /** The lines that were sent and have no result. There are only as many as a run sends at a time. */
  readonly unfinished = new Map<number, SendingEntry>();

  static async read(journal: Journal, onEntry: (entry: JournalEntry) => void): Promise<EarlierRuns> {
    const runs = new EarlierRuns();
    for await (const entry of journal.entries()) {
      runs.add(entry);
      onEntry(entry);
    }
    return runs;
  }

  private add(entry: JournalEntry): void {
    if (entry.type === 'sending') {
      this.unfinished.set(entry.line, entry);
      return;
    }
    this.unfinished.delete(entry.line);
    if (entry.type !== 'released') this.finished.add(entry.line);
  }
}
