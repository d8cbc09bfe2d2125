/** What an import belongs to. A journal of another file or service is not continued. */
export interface JournalHeader {
  /** Random. The idempotency keys of the import begin with it. */
  importId: string;
  /** SHA-256 of the file, in hex. */
  contentHash: string;
  serviceUrl: string;
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

export type JournalEntry =
  | SendingEntry
  /** The request was not sent, because the import stopped before. */
  | { type: 'released'; line: number }
  | { type: 'created'; line: number; petId: bigint }
  | { type: 'rejected'; line: number; reason: string };

/** Stores what an import has sent, so that an interrupted import continues without adding an animal twice. */
export interface Journal {
  /** Stores the header in a new journal. Returns the header of an existing journal. */
  open(header: JournalHeader): Promise<JournalHeader>;
  /** The entries of earlier runs, in the order in which they were appended. */
  entries(): AsyncIterable<JournalEntry>;
  /** Resolves when the entries are on the disk. */
  append(entries: readonly JournalEntry[]): Promise<void>;
}
