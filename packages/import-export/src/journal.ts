import type { ReadSettings } from './rows.js';

/** What an import belongs to. A journal of another file or service is not continued. */
export interface JournalHeader {
  /** Random. The idempotency keys of the import begin with it. */
  importId: string;
  /** SHA-256 of the file, in hex. */
  contentHash: string;
  serviceUrl: string;
  /** How the file is read. */
  settings: ReadSettings;
  /** The lines that are left out, for example because the store has these animals: `2-5,9`. */
  skippedLines?: string;
}

/** Written before the request of a line. */
export interface SendingEntry {
  type: 'sending';
  line: number;
  idempotencyKey: string;
  /** The key that sends the request. Idempotency keys are valid only for this API key. */
  apiKeyId: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** What happens to a line: `sending` before its request, one of the others after it. */
export type JournalEntry =
  | SendingEntry
  /** The request was not sent, or the service has surely not created the animal. */
  | { type: 'released'; line: number }
  | { type: 'created'; line: number; petId: bigint }
  | { type: 'rejected'; line: number; reason: string };

/** Stores what an import has sent, so that an interrupted import continues without adding an animal twice. */
export interface Journal {
  /** The header of an existing journal. */
  header(): Promise<JournalHeader | undefined>;
  /** Stores the header in a new journal. Returns the header of an existing journal. */
  open(header: JournalHeader): Promise<JournalHeader>;
  /** The entries of earlier runs, in the order in which they were appended. */
  entries(): AsyncIterable<JournalEntry>;
  /** Resolves when the entries are on the disk. */
  append(entries: readonly JournalEntry[]): Promise<void>;
}

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

/** A set of line numbers. A bit for each line takes 125 kB per million lines; a `Set` would take 40 MB. */
export class LineSet {
  private bits = new Uint8Array(1024);

  /** @param ranges such as `2-5,9` */
  static parse(ranges: string): LineSet {
    const set = new LineSet();
    for (const range of ranges.split(',').filter(Boolean)) {
      const [first = 0, last = first] = range.split('-').map(Number);
      for (let line = first; line <= last; line += 1) set.add(line);
    }
    return set;
  }

  add(line: number): void {
    const index = line >> 3;
    if (index >= this.bits.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[index] = (this.bits[index] ?? 0) | (1 << (line & 7));
  }

  has(line: number): boolean {
    return ((this.bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}

/** Writes lines in ascending order as ranges, such as `2-5,9`. */
export function lineRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === line) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}
