import { isTemporary, PetstoreApiError } from '@petstore/client';
import { idempotencyRetentionHours, type NewPet, type Pet } from '@petstore/contracts';
import type { CheckedFile } from './check-file.js';
import { ImportError, type ImportOptions, type ImportResult, type Outcome } from './import-options.js';
import { EarlierRuns, type JournalEntry, type JournalHeader, LineSet, type SendingEntry } from './journal.js';
import { type Row, readRows } from './rows.js';

const defaultConcurrency = 32;
/** The lines whose journal entries are written together, per simultaneous request. */
const linesPerRequest = 2;

/** One hour less than the service remembers idempotency keys. */
const repeatableMs = (idempotencyRetentionHours - 1) * 3_600_000;

const outageStepMs = 500;

const fileChanged = 'The file changed during the import. Restore it, and continue the import.';

/** A line to send. */
interface PendingLine {
  pet: NewPet;
  entry: SendingEntry;
  /** Whether a request, also one of an earlier run, may have created the animal. */
  mayExist: boolean;
}

/** One run of an import. */
export class ImportRun {
  private readonly concurrency: number;
  private readonly skipped: LineSet;
  private readonly counts = { created: 0, createdEarlier: 0, skipped: 0, rejected: 0, interrupted: 0, unknown: 0 };
  private failure: Error | undefined;
  private readonly outage = new Outage();
  /** While it is set, no request starts: it would fail again. */
  private pause: Promise<void> | undefined;
  private earlier = new EarlierRuns();
  /** Results are written with the next batch of lines: if they are lost, the next run gets them again from the service. */
  private unwritten: JournalEntry[] = [];

  constructor(
    private readonly file: CheckedFile,
    private readonly header: JournalHeader,
    private readonly options: ImportOptions,
  ) {
    this.concurrency = options.concurrency ?? defaultConcurrency;
    this.skipped = LineSet.parse(header.skippedLines ?? '');
  }

  async run(): Promise<ImportResult> {
    this.earlier = await EarlierRuns.read(this.options.journal, (entry) => this.reportEarlier(entry));
    const lines = this.pendingLines();
    const sendAll = async () => {
      for await (const line of lines) await this.send(line);
    };
    const senders = await Promise.allSettled(Array.from({ length: this.concurrency }, sendAll));
    this.outage.end();
    const failed = senders.find((sender) => sender.status === 'rejected');
    if (failed) throw failed.reason;
    await this.write([]);
    const total = Object.values(this.counts).reduce((sum, count) => sum + count, 0);
    if (!this.hasStopped && total !== this.file.valid) this.failure = new ImportError(fileChanged);
    return { ...this.counts, isComplete: !this.hasStopped, failure: this.failure };
  }

  private get hasStopped(): boolean {
    return this.options.signal?.aborted === true || this.failure !== undefined;
  }

  private report(outcome: Outcome): void {
    this.counts[outcome.state === 'created' && outcome.isEarlier ? 'createdEarlier' : outcome.state] += 1;
    this.options.onOutcome?.(outcome);
  }

  /** Reports the outcome of an earlier run. Entries of other types have none. */
  private reportEarlier(entry: JournalEntry): void {
    const { type, line } = entry;
    if (type === 'created') this.report({ state: type, line, petId: entry.petId, isEarlier: true });
    if (type === 'rejected') this.report({ state: type, line, reason: entry.reason, isEarlier: true });
  }

  /** The lines to send. Each one is in the journal. Several senders take from it. */
  private async *pendingLines(): AsyncGenerator<PendingLine, void> {
    let batch: PendingLine[] = [];
    for await (const row of readRows(this.file.source, this.file.settings)) {
      if (this.hasStopped) break;
      const line = this.pendingLine(row);
      if (line) batch.push(line);
      if (batch.length < this.concurrency * linesPerRequest) continue;
      yield* this.journaled(batch);
      batch = [];
    }
    if (!this.hasStopped) yield* this.journaled(batch);
  }

  private async *journaled(batch: readonly PendingLine[]): AsyncGenerator<PendingLine, void> {
    await this.write(batch.filter(({ mayExist }) => !mayExist).map(({ entry }) => entry));
    for (const line of batch) {
      await this.pause;
      if (!this.hasStopped) yield line;
      else if (!line.mayExist) this.unwritten.push({ type: 'released', line: line.entry.line });
    }
  }

  private pendingLine(row: Row): PendingLine | undefined {
    if (!('pet' in row) || this.earlier.finished.has(row.line)) return undefined;
    const { line, pet } = row;
    if (this.skipped.has(line)) {
      this.report({ state: 'skipped', line });
      return undefined;
    }
    const { apiKeyId } = this.options;
    const sent = this.earlier.unfinished.get(line);
    if (!sent) {
      const idempotencyKey = `${this.header.importId}-${line}`;
      return { pet, entry: { type: 'sending', line, idempotencyKey, apiKeyId, at: Date.now() }, mayExist: false };
    }
    const reason = whyNotRepeatable(sent, apiKeyId);
    if (reason === undefined) return { pet, entry: sent, mayExist: true };
    this.report({ state: 'unknown', line, reason });
    return undefined;
  }

  private async send(pending: PendingLine): Promise<void> {
    const { line } = pending.entry;
    try {
      const { id } = await this.create(pending);
      this.unwritten.push({ type: 'created', line, petId: id });
      this.report({ state: 'created', line, petId: id, isEarlier: false });
    } catch (error) {
      const reason = (error as Error).message;
      if (isRejected(error)) {
        this.unwritten.push({ type: 'rejected', line, reason });
        this.report({ state: 'rejected', line, reason, isEarlier: false });
        return;
      }
      if (!this.hasStopped) this.failure = error as Error;
      if (pending.mayExist) this.report({ state: 'interrupted', line, reason });
      else this.unwritten.push({ type: 'released', line });
    }
  }

  /** Repeats a request while the service does not answer, for example because it restarts, and above the rate limit. */
  private async create(pending: PendingLine): Promise<Pet> {
    const { client, apiKeyId, patienceMs = 0 } = this.options;
    const { pet, entry } = pending;
    for (;;) {
      try {
        const created = await client.createPet(pet, { idempotencyKey: entry.idempotencyKey });
        this.outage.end();
        return created;
      } catch (error) {
        pending.mayExist ||= !isRateLimited(error);
        if (!isTemporary(error) || this.hasStopped || this.outage.ms >= patienceMs) throw error;
        await (this.pause ??= this.startPause(error));
        // The device may have slept since, and the service forgets idempotency keys.
        if (this.hasStopped || whyNotRepeatable(entry, apiKeyId) !== undefined) throw error;
      }
    }
  }

  private async startPause(error: unknown): Promise<void> {
    const { onLimit, onWait, signal } = this.options;
    const seconds = Math.max(1, (error as Partial<PetstoreApiError>).retryAfter ?? 1);
    if (isRateLimited(error)) {
      this.outage.end();
      onLimit?.(seconds);
    } else {
      if (!this.outage.isOn) onWait?.();
      this.outage.begin();
    }
    await sleep(seconds, signal);
    this.pause = undefined;
  }

  private async write(sending: readonly SendingEntry[]): Promise<void> {
    const entries = [...this.unwritten, ...sending];
    this.unwritten = [];
    if (entries.length > 0) await this.options.journal.append(entries);
  }
}

/** How long the service does not answer. Counted by a timer, because the time in which the device sleeps does not count. */
class Outage {
  ms = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  get isOn(): boolean {
    return this.timer !== undefined;
  }

  begin(): void {
    this.timer ??= setInterval(() => (this.ms += outageStepMs), outageStepMs);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.ms = 0;
  }
}

/** Ends early when the signal is aborted. */
function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, seconds * 1000);
    signal?.addEventListener('abort', wake);
  });
}

/** Why a line that has no result must not be sent again: it could add a second animal. */
function whyNotRepeatable({ at, apiKeyId }: SendingEntry, currentKeyId: string): string | undefined {
  if (apiKeyId !== currentKeyId) return `sent with API key ${apiKeyId}, and no response arrived`;
  if (Date.now() - at < repeatableMs) return undefined;
  return `sent at ${new Date(at).toISOString()}, more than ${repeatableMs / 3_600_000} hours ago, and no response arrived`;
}

function isRateLimited(error: unknown): boolean {
  return error instanceof PetstoreApiError && error.status === 429;
}

/** These statuses mean that this animal is invalid. Any other error concerns the whole import. */
function isRejected(error: unknown): error is PetstoreApiError {
  return (
    error instanceof PetstoreApiError && error.code !== 'unexpected_response' && [400, 413, 422].includes(error.status)
  );
}
