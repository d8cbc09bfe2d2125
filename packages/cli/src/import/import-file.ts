import { ExplainedError } from '@petstore/contracts';
import { type CheckedFile, checkFile, hashOf } from '@petstore/import-export/check-file.js';
import { type FileAnimal, findRepeats } from '@petstore/import-export/find-repeats.js';
import {
  ImportError,
  importClientOptions,
  type ImportResult,
  usualPatienceMs,
} from '@petstore/import-export/import-options.js';
import { importPets } from '@petstore/import-export/import-pets.js';
import { findOtherFormat, type OtherFormat } from '@petstore/import-export/other-format.js';
import { type ReadSettings, readRows } from '@petstore/import-export/rows.js';
import type { Source } from '@petstore/import-export/source.js';
import { createClient, findCredentials, type GlobalFlags, readKeyInfo, requireScope } from '../connection.js';
import { ConnectionFailed, exitCodes, explainError, MissingKey, stopSignal, UsageError } from '../errors.js';
import { ProgressBar } from '../progress-bar.js';
import { RateLimitGate } from '../rate-limit.js';
import { FileJournal, journalPathOfContent } from './file-journal.js';
import { lock } from './file-lock.js';
import { withSource } from './file-source.js';
import { ImportReport, notRun } from './import-report.js';
import { chooseReadSettings, type ReadFlags, type ServiceAccess } from './read-settings.js';

/** The flags of `petstore import`. */
export interface ImportFlags extends GlobalFlags, ReadFlags {
  skipInvalid?: true;
  skipExisting?: true;
  dryRun?: true;
  concurrency?: number;
  journal?: string;
  again?: true;
}

/** Imports a file and returns the exit code. */
export function importFile(file: string, flags: ImportFlags): Promise<number> {
  return new FileImport(file, flags).run();
}

class FileImport {
  private readonly signal = stopSignal();
  private readonly report: ImportReport;
  private readonly gate: RateLimitGate;

  constructor(
    private readonly file: string,
    private readonly flags: ImportFlags,
  ) {
    this.report = new ImportReport(file, flags.json === true);
    this.gate = new RateLimitGate({ wait: flags.wait, signal: this.signal, print: (text) => this.report.note(text) });
  }

  async run(): Promise<number> {
    const { file, flags, report, signal } = this;
    // Before the check of the file, which can take long.
    const service = await (flags.dryRun ? this.connect().catch(ignoreMissingService) : this.connect());
    return withSource(file, signal, async (source, isCopy) => {
      const path = flags.journal ?? (isCopy ? await journalPathOfContent(await hashOf(source)) : `${file}.journal`);
      await FileJournal.rejectOtherKind(path);
      await this.rejectOtherFormat(source);
      const settings = await this.readSettings(source, path, service);
      const checked = await checkFile(source, (line) => report.invalid(line), settings, { signal });
      const canImport = checked.invalid === 0 || flags.skipInvalid;
      if (!service || flags.dryRun || !canImport) return report.finish(checked, notRun);
      return this.finish(checked, await this.createWithJournal(path, checked, service));
    });
  }

  private async connect(): Promise<ServiceAccess> {
    const credentials = await findCredentials(this.flags);
    const keyInfo = await this.gate.pass(() => readKeyInfo(credentials));
    requireScope(keyInfo, 'write');
    if (this.flags.skipExisting) requireScope(keyInfo, 'read');
    return { credentials, keyInfo };
  }

  /** @throws ExplainedError if the file is a workbook, an archive or a document. */
  private async rejectOtherFormat(source: Source): Promise<void> {
    const found = await findOtherFormat(source);
    if (!found) return;
    const name = this.file === '-' ? 'The input' : this.file;
    throw new ExplainedError(`${name} is ${found.name}, not CSV or NDJSON. ${advice[found.kind]}`);
  }

  /** A continued import reads the file like its first run, unless flags choose something else. */
  private async readSettings(source: Source, path: string, service: ServiceAccess | undefined): Promise<ReadSettings> {
    const { flags } = this;
    const chooses = [flags.columns, flags.ignoreOtherColumns, flags.encoding].some((flag) => flag !== undefined);
    const stored = chooses ? undefined : await FileJournal.peek(path);
    if (stored && !(flags.again && stored.finishedAt)) return stored.header.settings;
    return chooseReadSettings(source, flags, service, (text) => this.report.note(text));
  }

  /** Creates the animals of a file, with a journal that no other process uses. */
  private async createWithJournal(path: string, checked: CheckedFile, service: ServiceAccess): Promise<ImportResult> {
    const unlock = await lock(path);
    let journal: FileJournal | undefined;
    try {
      journal = await FileJournal.open(path);
      if (this.flags.again && (await journal.finishedAt())) await journal.clear();
      const finishedAt = await journal.finishedAt();
      const result = await this.create(checked, journal, service);
      if (finishedAt) this.report.importedBefore(finishedAt, path);
      else if (result.isComplete) await journal.finish();
      return result;
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      throw new UsageError(`${error.message} The journal is ${path}; delete it to start a new import.`);
    } finally {
      await journal?.close();
      await unlock();
    }
  }

  private create(checked: CheckedFile, journal: FileJournal, service: ServiceAccess): Promise<ImportResult> {
    const { flags, gate, report, signal } = this;
    const { credentials, keyInfo } = service;
    const progress = new ProgressBar('Importing', checked.valid);
    gate.progress = () => progress.counts();
    report.showIn(progress);
    const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';
    signal.addEventListener('abort', () => progress.print(stopping));
    const client = createClient(credentials);
    const findExisting = async () => {
      const read = (categoryId: readonly bigint[]) => gate.pages(client, { categoryId, limit: 100 });
      const { existing } = await findRepeats(await animalsOf(checked), read);
      return existing.map(({ line }) => line);
    };
    return importPets(checked, {
      client: createClient(credentials, importClientOptions),
      serviceUrl: credentials.baseUrl,
      apiKeyId: String(keyInfo.id),
      journal,
      signal,
      concurrency: flags.concurrency,
      patienceMs: flags.wait === false ? 0 : usualPatienceMs,
      onWait: () => report.note(`Waiting for the service, ${progress.counts()}`),
      onLimit: (seconds) => report.note(`Waiting ${seconds} s for the rate limit, ${progress.counts()}`),
      linesToSkip: flags.skipExisting && findExisting,
      onOutcome: (outcome) => report.outcome(outcome),
    });
  }

  private finish(checked: CheckedFile, result: ImportResult): number {
    const exitCode = this.report.finish(checked, result);
    if (result.isComplete) return exitCode;
    const failure: unknown = this.signal.aborted ? this.signal.reason : result.failure;
    const failureCode = failure ? explainError(failure) : exitCodes.interrupted;
    console.error('The import is not complete. Run the same command again to continue.');
    return failureCode;
  }
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

async function animalsOf({ source, settings }: CheckedFile): Promise<FileAnimal[]> {
  const animals: FileAnimal[] = [];
  for await (const row of readRows(source, settings)) if ('pet' in row) animals.push({ line: row.line, ...row.pet });
  return animals;
}
