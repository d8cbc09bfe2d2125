import { checkFile } from '@petstore/import-export/check-file.js';
import type { FileAnimal } from '@petstore/import-export/find-repeats.js';
import { importClientOptions, usualPatienceMs } from '@petstore/import-export/import-options.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { findOtherFormat } from '@petstore/import-export/other-format.js';
import { readCsvStart, type StartSettings } from '@petstore/import-export/read-start.js';
import { refusedRows } from '@petstore/import-export/refused-rows.js';
import { blobSource } from '@petstore/import-export/source.js';
import { expose } from 'comlink';
import { createClient, keyFingerprint, toApiFailure } from '../../shared/client.js';
import { csvFile } from '../../shared/download.js';
import { type ImportFile, IndexedDbJournal, type PlannedFile } from './import-database.js';
import type { InvalidRow, RowResult } from './import-rows.js';

/** A browser sends 6 requests at a time over HTTP/1.1. The rest fills the gaps while the journal is written. */
const concurrency = 16;

let pauseController = new AbortController();

/** Reads files and sends animals in a thread, so that the page stays responsive. */
const importer = {
  findOtherFormat: (content: Blob) => findOtherFormat(blobSource(content)),
  readStart: (content: Blob, settings: StartSettings) => readCsvStart(blobSource(content), settings),
  async check({ content, settings }: ImportFile) {
    const [animals, invalid]: [FileAnimal[], InvalidRow[]] = [[], []];
    await checkFile(blobSource(content), (row) => invalid.push({ ...row, state: 'invalid' }), settings, {
      onValid: ({ line, pet }) => animals.push({ line, ...pet }),
    });
    return { animals, invalid };
  },
  run,
  pause: () => pauseController.abort(),
  /** A file of the rows with these reasons, by line. */
  async refusedRows({ content, settings }: ImportFile, reasons: ReadonlyMap<number, string>): Promise<Blob> {
    const parts: string[] = [];
    for await (const text of refusedRows(blobSource(content), reasons, settings)) parts.push(text);
    return csvFile(parts);
  },
};

/**
 * Starts or continues the stored import. Reports every row of the file, also those of earlier runs.
 * Returns why the service has stopped the run. Other errors are thrown.
 */
async function run(file: PlannedFile, key: string, report: ReportProgress) {
  pauseController = new AbortController();
  const reports = new ProgressReports(report);
  const checked = await checkFile(
    blobSource(file.content),
    (row) => reports.add({ ...row, state: 'invalid' }),
    file.settings,
  );
  reports.start(checked.valid);
  try {
    const { isComplete, failure } = await importPets(checked, {
      client: createClient(key, importClientOptions),
      serviceUrl: `${location.origin}/v1`,
      apiKeyId: keyFingerprint(key),
      journal: new IndexedDbJournal(),
      linesToSkip: async () => file.plan.leftOut,
      concurrency,
      patienceMs: usualPatienceMs,
      onWait: () => reports.wait(),
      signal: pauseController.signal,
      onOutcome: (outcome) => outcome.state !== 'interrupted' && reports.add(outcome),
    });
    return { isComplete, failure: failure && toApiFailure(failure) };
  } finally {
    // Reports and the result arrive by different ports: a late report must not replace the end of the import.
    await reports.flush();
  }
}

interface ImportProgress {
  /** The rows with a valid animal. `undefined` until all rows are checked. */
  valid: number | undefined;
  /** Since the last report. */
  rows: RowResult[];
  /** Animals per second in this run. */
  rate: number;
  /** Whether the service does not answer. */
  isWaiting: boolean;
}

/** Resolves when the page has the report. */
type ReportProgress = (progress: ImportProgress) => Promise<void>;

const intervalMs = 250;

/** Collects results, so that a fast import does not flood the page with messages. */
class ProgressReports {
  private rows: RowResult[] = [];
  private valid: number | undefined;
  private startedAt = performance.now();
  private reportedAt = this.startedAt;
  /** The number of results of this run, without those of earlier ones. */
  private newCount = 0;
  private isWaiting = false;

  constructor(private readonly report: ReportProgress) {}

  /** All rows are checked, and sending begins. */
  start(valid: number): void {
    this.valid = valid;
    this.startedAt = performance.now();
    void this.flush();
  }

  /** The service does not answer, until the next result. */
  wait(): void {
    this.isWaiting = true;
    void this.flush();
  }

  add(row: RowResult): void {
    this.rows.push(row);
    this.isWaiting = false;
    if ('isEarlier' in row && !row.isEarlier) this.newCount += 1;
    if (performance.now() - this.reportedAt >= intervalMs) void this.flush();
  }

  /** Resolves when the page has all reports so far. */
  async flush(): Promise<void> {
    const { rows, valid, isWaiting } = this;
    this.rows = [];
    this.reportedAt = performance.now();
    const seconds = (this.reportedAt - this.startedAt) / 1000;
    await this.report({ rows, valid, isWaiting, rate: seconds > 0 ? this.newCount / seconds : 0 });
  }
}

export type ImportWorker = typeof importer;
expose(importer);
