import { ExplainedError, type KeyInfo } from '@petstore/contracts';
import { type CheckedFile, checkFile, hashOf } from '@petstore/import-export/check-file.js';
import { type FileAnimal, findRepeats } from '@petstore/import-export/find-repeats.js';
import { ImportError, type ImportResult } from '@petstore/import-export/import-options.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { findOtherFormat, type OtherFormat } from '@petstore/import-export/other-format.js';
import { type ReadSettings, readRows } from '@petstore/import-export/rows.js';
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
import { chooseReadSettings, type ReadFlags } from './read-settings.js';

const clientOptions = { timeoutMs: 30_000 };
/** Long enough for a restart or an upgrade of the service. */
const patienceMs = 300_000;

const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';

/** The flags of `petstore import`. */
export interface ImportFlags extends GlobalFlags, ReadFlags {
  skipInvalid?: true;
  skipExisting?: true;
  dryRun?: true;
  concurrency?: number;
  journal?: string;
  again?: true;
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
    await rejectOtherFormat(file, source);
    const settings = await settingsOf(source, { flags, report, signal }, { service, path });
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

const advice: Record<OtherFormat['kind'], string> = {
  spreadsheet: 'Open it in a spreadsheet program, and save it as CSV in UTF-8.',
  archive: 'Unpack it first.',
  document: 'Ask for the list as CSV.',
};

/** @throws ExplainedError if the file is a workbook, an archive or a document. */
async function rejectOtherFormat(file: string, source: Source): Promise<void> {
  const found = await findOtherFormat(source);
  if (!found) return;
  const name = file === '-' ? 'The input' : file;
  throw new ExplainedError(`${name} is ${found.name}, not CSV or NDJSON. ${advice[found.kind]}`);
}

/** A continued import reads the file like its first run, unless flags choose something else. */
async function settingsOf(
  source: Source,
  { flags, report }: ImportContext,
  { service, path }: { service: ServiceAccess | undefined; path: string },
): Promise<ReadSettings> {
  const chooses = [flags.columns, flags.ignoreOtherColumns, flags.encoding].some((flag) => flag !== undefined);
  const stored = chooses ? undefined : await FileJournal.peek(path);
  if (stored && !(flags.again && stored.finishedAt)) return stored.header.settings;
  return chooseReadSettings(source, flags, { service, note: (text) => report.note(text) });
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
      if (context.flags.again && (await journal.finishedAt())) await journal.clear();
      const finishedAt = await journal.finishedAt();
      const result = await createPets(file, journal, service, context);
      if (finishedAt) context.report.importedBefore(finishedAt, path);
      else if (result.isComplete) await journal.finish();
      return result;
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
  const findExisting = async () => {
    const read = (categoryId: readonly bigint[]) => gate.pages(client, { categoryId, limit: 100 });
    const { existing } = await findRepeats(await animalsOf(file), read);
    return existing.map(({ line }) => line);
  };
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

async function animalsOf({ source, settings }: CheckedFile): Promise<FileAnimal[]> {
  const animals: FileAnimal[] = [];
  for await (const row of readRows(source, settings)) if ('pet' in row) animals.push({ line: row.line, ...row.pet });
  return animals;
}

function finish(checked: CheckedFile, result: ImportResult, { report, signal }: ImportContext): number {
  const exitCode = report.finish(checked, result);
  if (result.isComplete) return exitCode;
  const failure: unknown = signal.aborted ? signal.reason : result.failure;
  const failureCode = failure ? explainError(failure) : exitCodes.interrupted;
  console.error('The import is not complete. Run the same command again to continue.');
  return failureCode;
}
