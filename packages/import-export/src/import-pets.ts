import { newIdempotencyKey } from '@petstore/client';
import type { CheckedFile } from './check-file.js';
import { ImportError, type ImportOptions, type ImportResult } from './import-options.js';
import { ImportRun } from './import-run.js';
import { type JournalHeader, lineRanges } from './journal.js';

/**
 * Creates the animals of the valid lines of a file. If an earlier run with this journal was interrupted, continues it.
 * Failed requests stop the run, but do not throw: the result has the `failure`.
 * @throws ImportError before the first create, if the journal belongs to another import.
 */
export async function importPets(file: CheckedFile, options: ImportOptions): Promise<ImportResult> {
  const { journal } = options;
  const stored = await journal.header();
  if (stored) checkHeader(stored, file, options);
  const header = await journal.open(stored ?? (await newHeader(file, options)));
  return new ImportRun(file, header, options).run();
}

async function newHeader({ contentHash, settings }: CheckedFile, options: ImportOptions): Promise<JournalHeader> {
  const skipped = await options.linesToSkip?.();
  return {
    importId: newIdempotencyKey(),
    contentHash,
    serviceUrl: options.serviceUrl,
    settings,
    ...(skipped && { skippedLines: lineRanges(skipped) }),
  };
}

function checkHeader(header: JournalHeader, file: CheckedFile, { serviceUrl }: ImportOptions): void {
  if (header.contentHash !== file.contentHash) {
    throw new ImportError('The file has changed since this import began. Restore it, or start a new import.');
  }
  if (header.serviceUrl !== serviceUrl) {
    throw new ImportError(`This import began with ${header.serviceUrl}, not ${serviceUrl}. Start a new import.`);
  }
  if (textOf(header.settings) !== textOf(file.settings)) {
    throw new ImportError(
      'This import began with other columns, categories or another encoding. Continue it with the same.',
    );
  }
}

/** The settings as text, with their members in one order. `undefined` and `null` are the same column. */
function textOf(settings: object): string {
  const present = Object.entries(settings).filter(([, value]) => value !== undefined);
  return JSON.stringify(present.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
