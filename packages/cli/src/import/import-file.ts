import { PetstoreClient, readCategories, readKeyInfo } from '@petstore/client';
import { checkRows, type RefusedRow, type RowAnimal } from '@petstore/import-export/check-rows.js';
import { compareWithStore, type Comparison } from '@petstore/import-export/compare.js';
import {
  canContinue,
  hashOf,
  type ImportOrigin,
  type ImportRecord,
  newImportRecord,
  rowsOf,
  toRanges,
} from '@petstore/import-export/import-record.js';
import {
  importClientOptions,
  sendAnimals,
  type SendResult,
  usualPatienceMs,
} from '@petstore/import-export/send-animals.js';
import { type Connection, findConnection, type GlobalFlags, requireScope } from '../connection.js';
import { CommandError, exitCodes, explainError, stopSignal, UsageError } from '../errors.js';
import { printLine } from '../output.js';
import { ProgressBar } from '../progress-bar.js';
import { ImportReport } from './import-report.js';
import { readInput } from './read-input.js';
import { type FilePlan, readPlan, type ReadFlags } from './read-plan.js';
import { isStarted, RecordFile } from './record-file.js';

/** The flags of `petstore import`. */
export interface ImportFlags extends GlobalFlags, ReadFlags {
  skipInvalid?: true;
  skipExisting?: true;
  addExisting?: true;
  dryRun?: true;
  concurrency?: number;
}

/** Imports a file and returns the exit code. */
export async function importFile(file: string, flags: ImportFlags): Promise<number> {
  return new FileImport(file, flags, await findConnection(flags)).run();
}

class FileImport {
  private readonly signal = stopSignal();
  private readonly report: ImportReport;

  constructor(
    private readonly file: string,
    private readonly flags: ImportFlags,
    private readonly connection: Connection,
  ) {
    this.report = new ImportReport(file, flags.json === true);
  }

  async run(): Promise<number> {
    const { connection, file, flags, report, signal } = this;
    // This precedes the reading and the check of the file, which can take long.
    const keyInfo = await readKeyInfo(connection, { signal });
    requireScope(keyInfo, 'read');
    if (!flags.dryRun) requireScope(keyInfo, 'write');
    const { bytes, isFile } = await readInput(file, signal);
    const origin = { contentHash: hashOf(bytes), serviceUrl: connection.baseUrl, apiKeyId: String(keyInfo.id) };
    if (!flags.dryRun) return this.import(bytes, origin, await RecordFile.of(file, isFile, origin.contentHash));
    const animals = this.check(await this.readPlan(bytes));
    if (animals) await this.compare(animals);
    return report.finish();
  }

  private async readPlan(bytes: Uint8Array): Promise<FilePlan> {
    const { connection, flags, signal } = this;
    return readPlan(bytes, flags, await readCategories(connection, { signal }));
  }

  private async import(bytes: Uint8Array, origin: ImportOrigin, recordFile: RecordFile): Promise<number> {
    const found = await recordFile.read();
    const interrupted = found && isStarted(found) && canContinue(found, origin) ? found : undefined;
    const plan = await this.readPlan(bytes);
    if (interrupted && readingText(interrupted) !== readingText(plan)) {
      throw new UsageError(
        'The interrupted import of this file read it differently. Continue it with the same flags, or delete ' +
          `${recordFile.path} to begin anew.`,
      );
    }
    // The names of categories can have changed since the interruption.
    const settings = interrupted?.settings ?? plan.settings;
    const animals = this.check({ ...plan, settings });
    if (!animals) return this.report.finish();
    const planned = newImportRecord({ ...origin, reading: plan.reading, settings, leftOut: [] });
    const record = await this.begin(planned, recordFile, animals);
    const { isComplete, failure } = await this.send(record, animals);
    const exitCode = this.report.finish({ wasSent: true, isComplete });
    if (!isComplete) {
      const failureCode = explainError(this.signal.aborted ? this.signal.reason : failure);
      console.error('The import is not complete. Run the same command again to continue.');
      return failureCode;
    }
    await recordFile.remove();
    return exitCode;
  }

  /** The animals of a file. `undefined` if invalid rows prevent the import. */
  private check({ table, settings, notes, isKnown }: FilePlan): RowAnimal[] | undefined {
    for (const note of notes) printLine(note);
    const [animals, refused]: [RowAnimal[], RefusedRow[]] = [[], []];
    for (const row of checkRows(table, settings)) {
      if ('faults' in row) refused.push(row);
      else animals.push(row);
    }
    this.report.checked(animals.length, refused);
    const unknown = [...new Set(animals.map(({ categoryId }) => categoryId))].filter((id) => !isKnown(id));
    if (unknown.length > 0) {
      const numbers = unknown.slice(0, 5).join(', ') + (unknown.length > 5 ? ', …' : '');
      printLine(`Categories without a name, and without animals in the store: ${numbers}.`);
    }
    return refused.length === 0 || this.flags.skipInvalid ? animals : undefined;
  }

  /**
   * The record of an interrupted import, or of a new one after its animals were compared with the store. It is created before
   * the comparison: a second command at the same time would not find the animals of the first one.
   */
  private async begin(
    planned: ImportRecord,
    recordFile: RecordFile,
    animals: readonly RowAnimal[],
  ): Promise<ImportRecord> {
    const found = await recordFile.open({ ...planned, leftOut: undefined });
    const isSame = canContinue(found, planned);
    if (isSame && isStarted(found)) {
      await recordFile.replace(found);
      return found;
    }
    // Commands that replace the same record at the same moment choose the same id: the service deduplicates their requests.
    const importId = isSame ? found.importId : hashOf(Buffer.from(found.importId + planned.contentHash));
    const { startedAt } = isSame ? found : planned;
    try {
      const existing = await this.compare(animals, isStarted(found) ? recordFile.path : undefined);
      const leftOut = this.flags.skipExisting ? toRanges(existing.map(({ row }) => row)) : [];
      const record = { ...planned, importId, startedAt, leftOut };
      await recordFile.replace(record);
      return record;
    } catch (error) {
      await recordFile.release();
      throw error;
    }
  }

  /**
   * The animals that the store has.
   * @param doubtfulRecord the path of the record of an interrupted import that could not continue
   * @throws CommandError if the flags do not say what to do with them
   */
  private async compare(animals: readonly RowAnimal[], doubtfulRecord?: string) {
    const { report, signal } = this;
    const client = new PetstoreClient(this.connection);
    const progress = new ProgressBar('Comparing with the store');
    report.showIn(progress);
    try {
      const comparison = await compareWithStore(
        animals,
        (list) => client.listPets(list, { signal }).pages(),
        (count) => progress.advance(count - progress.done),
      );
      report.compared(comparison);
      this.rejectExisting(comparison.existing, animals.length, doubtfulRecord);
      return comparison.existing;
    } finally {
      progress.stop();
    }
  }

  private rejectExisting(existing: Comparison['existing'], total: number, doubtfulRecord?: string): void {
    const { addExisting, skipExisting } = this.flags;
    if (existing.length === 0 || skipExisting || (addExisting && !doubtfulRecord)) return;
    this.report.existing(existing);
    this.report.finish();
    const has = `Already in the store: ${existing.length.toLocaleString('en')} of ${total.toLocaleString('en')}.`;
    throw new CommandError(
      doubtfulRecord
        ? `${has} An interrupted import of this file may have added them: leave them out with --skip-existing. If you are ` +
            `sure that it has not, delete ${doubtfulRecord}.`
        : `${has} Leave them out with --skip-existing, or add them once more with --add-existing.`,
      exitCodes.existingAnimals,
    );
  }

  private async send(record: ImportRecord, animals: readonly RowAnimal[]): Promise<SendResult> {
    const { flags, report, signal } = this;
    const leftOut = rowsOf(record.leftOut);
    report.skipped(leftOut);
    report.showIn(new ProgressBar('Importing', animals.length - leftOut.size));
    const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';
    signal.addEventListener('abort', () => printLine(stopping));
    return sendAnimals(
      animals.filter(({ row }) => !leftOut.has(row)),
      {
        client: new PetstoreClient({ ...this.connection, ...importClientOptions }),
        record,
        signal,
        concurrency: flags.concurrency,
        patienceMs: flags.wait === false ? 0 : usualPatienceMs,
        onWait: () => printLine('Waiting for the service'),
        onLimit: (seconds) => printLine(`Waiting ${seconds} s for the rate limit`),
        onOutcome: (outcome) => report.outcome(outcome),
      },
    );
  }
}

/** How a file is read, as text. */
function readingText({ reading, settings }: Pick<ImportRecord, 'reading' | 'settings'>): string {
  const { titleRows, hasHeader, columns } = settings;
  return JSON.stringify([reading.encoding, reading.sheet, reading.includeHidden, titleRows, hasHeader, columns]);
}
