import type { ImportOptions } from './import-options.js';
import type { Outcome } from './import-result.js';
import type { JournalEntry } from './journal.js';

/** Counts the outcomes of a run, and passes each one to `onOutcome`. */
export class OutcomeCounter {
  readonly counts = { created: 0, createdEarlier: 0, rejected: 0, interrupted: 0, unknown: 0 };

  constructor(private readonly onOutcome: ImportOptions['onOutcome']) {}

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  add(outcome: Outcome): void {
    this.counts[outcome.state === 'created' && outcome.isEarlier ? 'createdEarlier' : outcome.state] += 1;
    this.onOutcome?.(outcome);
  }

  /** Adds the outcome of an earlier run. Entries of other types have none. */
  addEarlier(entry: JournalEntry): void {
    const { type, line } = entry;
    if (type === 'created') this.add({ state: type, line, petId: entry.petId, isEarlier: true });
    if (type === 'rejected') this.add({ state: type, line, reason: entry.reason, isEarlier: true });
  }
}
