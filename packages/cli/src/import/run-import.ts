import type { CheckedFile } from '@petstore/import-export/check-file.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { ImportError, type ImportResult } from '@petstore/import-export/import-result.js';
import { type Connection, createClient } from '../connection.js';
import { UsageError } from '../exit-codes.js';
import { Progress } from '../progress.js';
import { FileJournal } from './file-journal.js';
import { lock } from './file-lock.js';
import type { ImportFlags } from './import-flags.js';
import type { ImportReport } from './import-report.js';
import { PetSender } from './pet-sender.js';

/** Long enough for a restart of the service: 10 retries take half a minute. */
const clientOptions = { retries: 10, timeoutMs: 30_000 };

const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';

interface RunOptions {
  report: ImportReport;
  connection: Connection;
  apiKeyId: string;
  journalPath: string;
  flags: ImportFlags;
  signal: AbortSignal;
}

/** Creates the animals of a file, with a journal that no other process uses. */
export async function runImport(file: CheckedFile, options: RunOptions): Promise<ImportResult> {
  const { connection, journalPath } = options;
  const unlock = await lock(journalPath);
  try {
    const journal = await FileJournal.open(journalPath);
    const sender = new PetSender(connection, createClient(connection, clientOptions));
    try {
      return await createPets(file, { ...options, journal, sender });
    } finally {
      sender.close();
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new UsageError(`${error.message} The journal is ${journalPath}; delete it to start a new import.`);
  } finally {
    await unlock();
  }
}

type CreateOptions = RunOptions & { journal: FileJournal; sender: PetSender };

function createPets(file: CheckedFile, options: CreateOptions): Promise<ImportResult> {
  const { report, connection, flags, signal, journal, sender, apiKeyId } = options;
  const progress = new Progress('Importing', file.valid);
  report.showIn(progress);
  signal.addEventListener('abort', () => progress.print(stopping));
  return importPets(file, {
    client: sender,
    serviceUrl: connection.baseUrl,
    apiKeyId,
    journal,
    signal,
    concurrency: flags.concurrency,
    skipInvalid: flags.skipInvalid,
    onOutcome: (outcome) => report.outcome(outcome),
  });
}
