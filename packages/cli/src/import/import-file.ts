import type { KeyInfo } from '@petstore/contracts';
import { type CheckedFile, checkFile, hashOf } from '@petstore/import-export/check-file.js';
import { findRepeats } from '@petstore/import-export/find-repeats.js';
import { ImportError, type ImportResult } from '@petstore/import-export/import-options.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import type { ReadSettings } from '@petstore/import-export/rows.js';
import type { Source } from '@petstore/import-export/source.js';
import {
  type Credentials,
  createClient,
  findCredentials,
  type GlobalFlags,
  readKeyInfo,
  requireScope,
} from '../connection.js';
import { ConnectionFailed, exitCodes, explainError, MissingKey, stopSignal, UsageError } from '../errors.js';
import { ProgressBar } from '../progress-bar.js';
import { RateLimitGate } from '../rate-limit.js';
import { FileJournal, journalPathOfContent } from './file-journal.js';
import { lock } from './file-lock.js';
import { withSource } from './file-source.js';
import { ImportReport, notRun } from './import-report.js';
import { PetSender } from './pet-sender.js';
import { chooseReadSettings, type ColumnFlags } from './read-settings.js';

const clientOptions = { timeoutMs: 30_000 };
/** Long enough for a restart or an upgrade of the service. */
const patienceMs = 300_000;

const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';

/** The flags of `petstore import`. */
export interface ImportFlags extends GlobalFlags, ColumnFlags {
  skipInvalid?: true;
  skipExisting?: true;
  dryRun?: true;
  concurrency?: number;
  journal?: string;
}

/** The service, and the API key that the import uses. */
interface ServiceAccess {
  credentials: Credentials;
  keyInfo: KeyInfo;
  gate: RateLimitGate;
}

interface ImportContext {
  flags: ImportFlags;
  report: ImportReport;
  signal: AbortSignal;
}

/** Imports a file and returns the exit code. */
export async function importFile(file: string, flags: ImportFlags): Promise<number> {
  const signal = stopSignal();
  const report = new ImportReport(file, flags.json === true);
  // Before the check of the file, which can take long.
  const connecting = connect(flags, report, signal);
  const service = await (flags.dryRun ? connecting.catch(ignoreMissingService) : connecting);
  return withSource(file, signal, async (source, isCopy) => {
    const path = flags.journal ?? (isCopy ? await journalPathOfContent(await hashOf(source)) : `${file}.journal`);
    await FileJournal.rejectOtherKind(path);
    const settings = await settingsOf(source, flags, { service, path });
    const checked = await check(source, settings, { flags, report, signal });
    const canImport = checked.invalid === 0 || flags.skipInvalid;
    if (!service || flags.dryRun || !canImport) return report.finish(checked, notRun);
    return finish(checked, await withJournal(path, checked, service, { flags, report, signal }), {
      flags,
      report,
      signal,
    });
  });
}

async function connect(flags: ImportFlags, report: ImportReport, signal: AbortSignal): Promise<ServiceAccess> {
  const credentials = await findCredentials(flags);
  const gate = new RateLimitGate({ wait: flags.wait, signal, print: (text) => report.note(text) });
  const keyInfo = await gate.pass(() => readKeyInfo(credentials));
  requireScope(keyInfo, 'write');
  if (flags.skipExisting) requireScope(keyInfo, 'read');
  return { credentials, keyInfo, gate };
}

/** A dry run needs no service. With one, it knows the names of the categories. */
function ignoreMissingService(error: unknown): undefined {
  if (!(error instanceof MissingKey || error instanceof ConnectionFailed)) throw error;
}

/** A continued import reads the file like its first run, unless flags choose other columns. */
async function settingsOf(
  source: Source,
  flags: ImportFlags,
  { service, path }: { service: ServiceAccess | undefined; path: string },
): Promise<ReadSettings> {
  const chooses = flags.columns !== undefined || flags.ignoreOtherColumns;
  const stored = chooses ? undefined : await FileJournal.readHeader(path);
  return stored?.settings ?? chooseReadSettings(source, flags, service);
}

/** Unlike the import, the check can stop anywhere. */
async function check(source: Source, settings: ReadSettings, { report, signal }: ImportContext): Promise<CheckedFile> {
  const stoppable: Source = async function* read() {
    for await (const chunk of source()) {
      signal.throwIfAborted();
      yield chunk;
    }
  };
  const checked = await checkFile(stoppable, (line) => report.invalid(line), settings);
  return { ...checked, source };
}

/** Creates the animals of a file, with a journal that no other process uses. */
async function withJournal(
  path: string,
  file: CheckedFile,
  service: ServiceAccess,
  context: ImportContext,
): Promise<ImportResult> {
  const unlock = await lock(path);
  try {
    const journal = await FileJournal.open(path);
    try {
      return await createPets(file, journal, service, context);
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new UsageError(`${error.message} The journal is ${path}; delete it to start a new import.`);
  } finally {
    await unlock();
  }
}

async function createPets(
  file: CheckedFile,
  journal: FileJournal,
  { credentials, keyInfo, gate }: ServiceAccess,
  { flags, report, signal }: ImportContext,
): Promise<ImportResult> {
  const client = createClient(credentials, clientOptions);
  const sender = new PetSender(credentials, client, gate);
  const progress = new ProgressBar('Importing', file.valid);
  gate.progress = () => progress.counts();
  report.showIn(progress);
  signal.addEventListener('abort', () => progress.print(stopping));
  const findExisting = async () => (await findRepeats(file, gate.pages(client, { limit: 100 }))).inStore;
  try {
    return await importPets(file, {
      client: sender,
      serviceUrl: credentials.baseUrl,
      apiKeyId: String(keyInfo.id),
      journal,
      signal,
      concurrency: flags.concurrency,
      patienceMs: flags.wait === false ? 0 : patienceMs,
      onWait: () => report.note(`Waiting for the service, ${progress.counts()}`),
      skipInvalid: flags.skipInvalid,
      linesToSkip: flags.skipExisting && findExisting,
      onOutcome: (outcome) => report.outcome(outcome),
    });
  } finally {
    sender.close();
  }
}

function finish(checked: CheckedFile, result: ImportResult, { report, signal }: ImportContext): number {
  const exitCode = report.finish(checked, result);
  if (result.isComplete) return exitCode;
  const failure: unknown = signal.aborted ? signal.reason : result.failure;
  const failureCode = failure ? explainError(failure) : exitCodes.interrupted;
  console.error('The import is not complete. Run the same command again to continue.');
  return failureCode;
}
