import { PetstoreApiError } from '@petstore/client';
import { type Attempt, toAttempt } from './attempt.js';
import type { CheckedFile } from './check-file.js';
import { EarlierRuns } from './earlier-runs.js';
import type { ImportOptions } from './import-options.js';
import { ImportError, type ImportResult } from './import-result.js';
import type { JournalEntry, SendingEntry } from './journal.js';
import { OutcomeCounter } from './outcome-counter.js';
import type { Row } from './pet-columns.js';
import { readRows } from './rows.js';

const defaultConcurrency = 32;
/** The lines whose journal entries are written together, per simultaneous request. */
const linesPerRequest = 2;

const fileChanged = 'The file changed during the import. Restore it, and continue the import.';

/** One run of an import. */
export class ImportRun {
  private readonly concurrency: number;
  private readonly outcomes: OutcomeCounter;
  private failure: Error | undefined;
  private earlier = new EarlierRuns();
  /** Results are written with the next batch of lines: if they are lost, the next run gets them again from the service. */
  private unwritten: JournalEntry[] = [];

  constructor(
    private readonly file: CheckedFile,
    private readonly importId: string,
    private readonly options: ImportOptions,
  ) {
    this.concurrency = options.concurrency ?? defaultConcurrency;
    this.outcomes = new OutcomeCounter(options.onOutcome);
  }

  async run(): Promise<ImportResult> {
    this.earlier = await EarlierRuns.read(this.options.journal, (entry) => this.outcomes.addEarlier(entry));
    const attempts = this.attempts();
    const sendAll = async () => {
      for await (const attempt of attempts) await this.send(attempt);
    };
    const senders = await Promise.allSettled(Array.from({ length: this.concurrency }, sendAll));
    const failed = senders.find((sender) => sender.status === 'rejected');
    if (failed) throw failed.reason;
    await this.write([]);
    const expected = this.file.valid - (this.options.leftOut?.size ?? 0);
    if (!this.hasStopped && this.outcomes.total !== expected) this.failure = new ImportError(fileChanged);
    return { ...this.outcomes.counts, isComplete: !this.hasStopped, failure: this.failure };
  }

  private get hasStopped(): boolean {
    return this.options.signal?.aborted === true || this.failure !== undefined;
  }

  /** The lines to send. Each one is in the journal. Several senders take from it. */
  private async *attempts(): AsyncGenerator<Attempt, void> {
    let batch: Attempt[] = [];
    for await (const row of readRows(this.file.source, this.file.columns)) {
      if (this.hasStopped) break;
      const attempt = this.attemptOf(row);
      if (attempt) batch.push(attempt);
      if (batch.length < this.concurrency * linesPerRequest) continue;
      yield* this.journaled(batch);
      batch = [];
    }
    if (!this.hasStopped) yield* this.journaled(batch);
  }

  private async *journaled(batch: readonly Attempt[]): AsyncGenerator<Attempt, void> {
    await this.write(batch.filter(({ isRepeated }) => !isRepeated).map(({ entry }) => entry));
    for (const attempt of batch) {
      if (!this.hasStopped) yield attempt;
      else if (!attempt.isRepeated) this.unwritten.push({ type: 'released', line: attempt.entry.line });
    }
  }

  private attemptOf(row: Row): Attempt | undefined {
    if (!('pet' in row) || this.earlier.finished.has(row.line)) return undefined;
    const { importId, options, earlier } = this;
    if (options.leftOut?.has(row.line)) return undefined;
    const attempt = toAttempt(row, earlier.unfinished.get(row.line), { importId, apiKeyId: options.apiKeyId });
    if (typeof attempt === 'object') return attempt;
    this.outcomes.add({ state: 'unknown', line: row.line, reason: attempt });
    return undefined;
  }

  private async send({ pet, entry: { line, idempotencyKey } }: Attempt): Promise<void> {
    try {
      const { id } = await this.options.client.createPet(pet, { idempotencyKey });
      this.unwritten.push({ type: 'created', line, petId: id });
      this.outcomes.add({ state: 'created', line, petId: id, isEarlier: false });
    } catch (error) {
      const reason = (error as Error).message;
      if (isRejected(error)) {
        this.unwritten.push({ type: 'rejected', line, reason });
        this.outcomes.add({ state: 'rejected', line, reason, isEarlier: false });
      } else {
        this.failure ??= error as Error;
        this.outcomes.add({ state: 'interrupted', line, reason });
      }
    }
  }

  private async write(sending: readonly SendingEntry[]): Promise<void> {
    const entries = [...this.unwritten, ...sending];
    this.unwritten = [];
    if (entries.length > 0) await this.options.journal.append(entries);
  }
}

/** These statuses mean that this animal is invalid. Any other error concerns the whole import. */
function isRejected(error: unknown): error is PetstoreApiError {
  return (
    error instanceof PetstoreApiError && error.code !== 'unexpected_response' && [400, 413, 422].includes(error.status)
  );
}
