import { createHash } from 'node:crypto';
import { newIdempotencyKey, PetstoreClient, readCategories, readKeyInfo } from '@petstore/client';
import { stringifyJson } from '@petstore/contracts';
import { checkRows, type RefusedRow, type RowAnimal } from '@petstore/import-export/check-rows.js';
import { compareWithStore, type Comparison } from '@petstore/import-export/compare.js';
import {
  importClientOptions,
  sendAnimals,
  type SendOptions,
  usualOutageMs,
} from '@petstore/import-export/send-animals.js';
import { type Connection, findConnection, type GlobalFlags, printWait, requireScope } from '../connection.js';
import { CommandError, exitCodes, explainError, stopSignal } from '../errors.js';
import { printLine } from '../output.js';
import { ImportReport } from './import-report.js';
import { readInput } from './read-input.js';
import { type FilePlan, readPlan, type ReadFlags } from './read-plan.js';

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
    const bytes = await readInput(file, signal);
    const animals = this.check(await readPlan(bytes, flags, await readCategories(connection, { signal })));
    if (!animals) return report.finish();
    const existing = await this.compare(animals);
    if (flags.dryRun) return report.finish();
    const leftOut = new Set(flags.skipExisting ? existing.map(({ row }) => row) : []);
    report.skipped(leftOut);
    const animalsToSend = animals.filter(({ row }) => !leftOut.has(row));
    return this.send(animalsToSend, idempotencyKeys(flags.addExisting ? newIdempotencyKey() : hashOf(bytes)));
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
   * The animals that the store has.
   * @throws CommandError if the flags do not say what to do with them
   */
  private async compare(animals: readonly RowAnimal[]): Promise<Comparison['existing']> {
    const { flags, report, signal } = this;
    const client = new PetstoreClient(this.connection);
    const progress = report.showProgress('Comparing with the store');
    const comparison = await compareWithStore(
      animals,
      (list) => client.listPets(list, { signal }).pages(),
      (count) => progress.advance(count - progress.done),
    ).finally(() => progress.stop());
    report.compared(comparison);
    const { existing } = comparison;
    if (existing.length === 0 || flags.skipExisting || flags.addExisting) return existing;
    report.existing(existing);
    report.finish();
    throw new CommandError(
      `Already in the store: ${existing.length.toLocaleString('en')} of ${animals.length.toLocaleString('en')}. ` +
        'Leave them out with --skip-existing, or add them once more with --add-existing.',
      exitCodes.existingAnimals,
    );
  }

  private async send(animals: readonly RowAnimal[], keyOf: SendOptions['keyOf']): Promise<number> {
    const { flags, report, signal } = this;
    report.showProgress('Importing', animals.length);
    const stopping = 'Stopping after the running requests. Press Ctrl-C again to stop at once.';
    signal.addEventListener('abort', () => printLine(stopping));
    const { isComplete, failure } = await sendAnimals(animals, {
      client: new PetstoreClient({ ...this.connection, ...importClientOptions }),
      keyOf,
      signal,
      concurrency: flags.concurrency,
      maxOutageMs: flags.wait === false ? 0 : usualOutageMs,
      onWait: printWait,
      onOutcome: (outcome) => report.outcome(outcome),
    });
    const exitCode = report.finish({ wasSent: true, isComplete });
    if (isComplete) return exitCode;
    const failureCode = explainError(signal.aborted ? signal.reason : failure);
    const advice = flags.addExisting
      ? 'If you repeat it with --add-existing, it adds every animal of the file once more.'
      : 'Repeat it with --skip-existing, which leaves out the animals that were added.';
    printLine(`The import is not complete. ${advice}`);
    return failureCode;
  }
}

/**
 * The idempotency key of each row. From the same origin, the same animal of a row has the same key: a repeated import does not
 * double the animals whose requests the service is still processing, which a comparison does not find yet.
 */
function idempotencyKeys(origin: string): SendOptions['keyOf'] {
  return ({ row, ...animal }) => hashOf(`${origin} ${row} ${stringifyJson(animal)}`);
}

function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
