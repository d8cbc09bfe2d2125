import type { RowResult } from './import-rows.js';

export interface ImportProgress {
  /** The rows with a valid animal. `undefined` until all rows are checked. */
  valid: number | undefined;
  /** Since the last report. */
  rows: RowResult[];
  /** Animals per second in this run. */
  rate: number;
}

export type ReportProgress = (progress: ImportProgress) => void;

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
    this.flush();
  }

  add(row: RowResult | undefined, isNew: boolean): void {
    if (!row) return;
    this.rows.push(row);
    if (isNew) this.newCount += 1;
    if (performance.now() - this.reportedAt >= intervalMs) this.flush();
  }

  flush(): void {
    const { rows, valid } = this;
    const seconds = (performance.now() - this.startedAt) / 1000;
    this.report({ rows, valid, rate: seconds > 0 ? this.newCount / seconds : 0 });
    this.rows = [];
    this.reportedAt = performance.now();
  }
}
