import { checkFile } from '@petstore/import-export/check-file.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { readCsvStart } from '@petstore/import-export/read-start.js';
import { refusedRows } from '@petstore/import-export/refused-rows.js';
import { blobSource } from '@petstore/import-export/source.js';
import { expose } from 'comlink';
import { type ApiFailure, createClient, toApiFailure } from '../../shared/client.js';
import { csvFile } from '../../shared/download.js';
import { type ImportFile, readStoredFile, removeStoredImport, storeFile } from './import-database.js';
import { IndexedDbJournal } from './indexed-db-journal.js';
import { ProgressReports, type ReportProgress } from './progress-reports.js';
import { refusedRow, type RowResult, toRowResult } from './import-rows.js';

/** Long enough for a restart of the service: 10 retries take half a minute. */
const clientOptions = { retries: 10, timeoutMs: 30_000, maxRetryAfterMs: 60_000 };
/** A browser sends 6 requests at a time over HTTP/1.1. The rest fills the gaps while the journal is written. */
const concurrency = 16;

export interface CheckResult {
  valid: number;
  faults: RowResult[];
}

export interface RunResult {
  isComplete: boolean;
  /** Why the service stopped the run. Other errors are thrown. */
  failure: ApiFailure | undefined;
}

let stopSignal = new AbortController();

const importer = {
  readStart: (content: Blob) => readCsvStart(blobSource(content)),
  check,
  readStoredFile,
  storeFile,
  removeStoredImport,
  run,
  pause: () => stopSignal.abort(),
  async refusedRows(content: Blob, reasons: ReadonlyMap<number, string>): Promise<Blob> {
    const parts: string[] = [];
    for await (const text of refusedRows(blobSource(content), reasons)) parts.push(text);
    return csvFile(parts);
  },
};

async function check({ content, columns }: ImportFile): Promise<CheckResult> {
  const faults: RowResult[] = [];
  const onInvalid = ({ line, fault }: { line: number; fault: string }) => void faults.push(refusedRow(line, fault));
  const { valid } = await checkFile(blobSource(content), onInvalid, columns);
  return { valid, faults };
}

/** Starts or continues the stored import. Reports every row of the file, also those of earlier runs. */
async function run(file: ImportFile, key: { text: string; hash: string }, report: ReportProgress): Promise<RunResult> {
  stopSignal = new AbortController();
  const reports = new ProgressReports(report);
  const onInvalid = ({ line, fault }: { line: number; fault: string }) => reports.add(refusedRow(line, fault), false);
  const checked = await checkFile(blobSource(file.content), onInvalid, file.columns);
  reports.start(checked.valid);
  try {
    const { isComplete, failure } = await importPets(checked, {
      client: createClient(key.text, clientOptions),
      serviceUrl: `${location.origin}/v1`,
      apiKeyId: key.hash,
      journal: new IndexedDbJournal(),
      skipInvalid: true,
      concurrency,
      signal: stopSignal.signal,
      onOutcome: (outcome) => {
        const isNew = !('isEarlier' in outcome && outcome.isEarlier);
        reports.add(toRowResult(outcome), isNew);
      },
    });
    return { isComplete, failure: failure && toApiFailure(failure) };
  } finally {
    // Reports and the result arrive by different ports: a late report must not replace the end of the import.
    await reports.flush();
  }
}

export type ImportWorker = typeof importer;
expose(importer);
