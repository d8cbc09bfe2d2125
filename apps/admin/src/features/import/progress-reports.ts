import type { RowResult } from './import-rows.js';

export interface ImportProgress {
  /** The rows with a valid animal. `undefined` until all rows are checked. */
  valid: number | undefined;
  /** Since the last report. */
  rows: RowResult[];
  /** Animals per second in this run. */
  rate: number;
}

/** Resolves when the page has the report. */
export type ReportProgress = (progress: ImportProgress) => Promise<void>;

const intervalMs = 250;

/** Collects results, so that a fast import does not flood the page with messages. */
export class ProgressReports {
  private rows: RowResult[] = [];
  private valid: number | undefined;
  private startedAt = performance.now();
  private reportedAt = this.startedAt;
  /** The number of results of this run, without those of earlier ones. */
  private newCount = 0;

  constructor(private readonly report: ReportProgress) {}

  /** All rows are checked, and sending begins. */
  start(valid: number): void {
    this.valid = valid;
    this.startedAt = performance.now();
    void this.flush();
  }

  add(row: RowResult | undefined, isNew: boolean): void {
    if (!row) return;
    this.rows.push(row);
    if (isNew) this.newCount += 1;
    if (performance.now() - this.reportedAt >= intervalMs) void this.flush();
  }

  /** Resolves when the page has all reports so far. */
  async flush(): Promise<void> {
    const { rows, valid } = this;
    this.rows = [];
    this.reportedAt = performance.now();
    const seconds = (this.reportedAt - this.startedAt) / 1000;
    await this.report({ rows, valid, rate: seconds > 0 ? this.newCount / seconds : 0 });
  }
}
